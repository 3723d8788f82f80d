/** Fetches one response of the API at `url`. The error of a failure explains what to check. */
export async function readApi<Body>(url: URL): Promise<Body> {
  const response = await fetch(url, { headers: { accept: "application/json" } }).catch(() => {
    throw new Error(`${url.href} can't be reached. Does the product run there?`);
  });
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}.`);
  return (await response.json()) as Body;
}

interface List<Row> {
  readonly next: string | null;
  readonly results: readonly Row[];
}

/** Every row of a paged list, in order. `path` ends in `/`. */
export async function readList<Row>(origin: string, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { results, next } = await readApi<List<Row>>(new URL(`${path}?page=${page}`, origin));
    rows.push(...results);
    if (next === null) return rows;
  }
}

/** Every entry of a paged list in full. Each is fetched by its id. */
export async function readEach<Entry>(origin: string, path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const { id } of await readList<{ id: number }>(origin, path)) {
    entries.push(await readApi<Entry>(new URL(`${path}${id}/`, origin)));
  }
  return entries;
}
