/** One row of a chart's table. */
export interface FigureRow {
  readonly label: string;
  /** The other cells of the row, one for each column after the first. */
  readonly cells: readonly string[];
}

interface FiguresProps {
  /** The column heads; the first is for the labels. */
  columns: readonly [string, ...string[]];
  rows: readonly FigureRow[];
}

/** The figures of a chart as a table, for people who can't see the chart. */
export function Figures({ columns, rows }: FiguresProps) {
  return (
    <div className="kn-scroll">
      <table className="kn-table" data-figures>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, cells }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
