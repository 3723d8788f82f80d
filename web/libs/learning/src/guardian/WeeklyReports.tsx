import { SaveFileButton } from "@konomana/query";
import { Note, Text, TitledPanel } from "@konomana/ui-base";
import { SelectField } from "@konomana/ui-kit";
import { useState } from "react";
import { listReportWeeks, formatWeek } from "./reportWeeks";

interface WeeklyReportsProps {
  /** Loads the PDF of the week from this Monday. */
  load: (monday: string) => Promise<Blob>;
}

/** The weekly reports as PDF, the last week first. */
export function WeeklyReports({ load }: WeeklyReportsProps) {
  const [weeks] = useState(() => listReportWeeks(Date.now()));
  const [chosen, setChosen] = useState(weeks[0] ?? "");
  return (
    <TitledPanel title="週間レポート" gap="md">
      <Text>
        月曜日から日曜日までの学習、クラスの授業への出席、宿題を、グラフと表にまとめたPDFです。主な内容は、毎週月曜日の朝に、保護者の方へメールでもお知らせします（メールは、保護者の方が「お知らせの受け取り」で止められます）。
      </Text>
      <SelectField
        label="週"
        value={chosen}
        data={weeks.map((week) => ({ value: week, label: formatWeek(week) }))}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
      />
      <SaveFileButton
        key={chosen}
        name={`weekly-report-${chosen}.pdf`}
        load={() => load(chosen)}
        what="週間レポートのPDF"
      />
      <Note>ノート、確認問題に書いた答え、検索したことばは入りません。</Note>
    </TitledPanel>
  );
}
