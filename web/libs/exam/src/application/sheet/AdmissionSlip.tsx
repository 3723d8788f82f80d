import { Fact, formatPeriod } from "@konomana/exam-card";
import { Button, Group, TitledPanel } from "@konomana/ui-base";
import type { Sheet } from "../../api";
import { timeOf } from "../extraTime";

interface AdmissionSlipProps {
  sheet: Sheet;
  /** 受験番号 */
  number: string;
}

/** The admission slip (受験票): the printed part of the sheet. */
export function AdmissionSlip({ sheet, number }: AdmissionSlipProps) {
  const { exam, basic_info: info, time_percent } = sheet;
  const papers = exam.papers.map(
    ({ subject, minutes }) => `${subject} ${timeOf(minutes, time_percent)}`,
  );
  return (
    <TitledPanel title="受験票" gap="md">
      <dl className="kn-facts" data-ruled>
        <Fact name="受験番号">
          <strong className="kn-figure">{number}</strong>
        </Fact>
        {info !== null && (
          <>
            <Fact name="氏名">
              {info.last_name} {info.first_name}
            </Fact>
            <Fact name="学校・学年">
              {info.school_name}・{info.school_year}
            </Fact>
          </>
        )}
        <Fact name="模試">{exam.name}</Fact>
        <Fact name="日時">{formatPeriod(exam.starts_at, exam.ends_at)}</Fact>
        <Fact name="時間割">{papers.join("、")}</Fact>
      </dl>
      <Group actions data-screen-only>
        <Button variant="default" onClick={() => print()}>
          受験票を印刷する
        </Button>
      </Group>
    </TitledPanel>
  );
}
