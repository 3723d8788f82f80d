import { SaveFileButton } from "@konomana/query";
import { Text, TitledPanel } from "@konomana/ui-base";
import { examResultPdf, type ResultOwner } from "../api";
import { SchoolSimulator } from "./SchoolSimulator";

interface ResultToolsProps {
  owner: ResultOwner;
  isFinal: boolean;
}

/** The result as a PDF for school, and the judgement of other schools. */
export function ResultTools({ owner, isFinal }: ResultToolsProps) {
  return (
    <>
      <TitledPanel title="学校に出すとき" gap="md">
        <Text>
          得点・偏差値・順位・合格判定を1枚にまとめたPDFです。
          {!isFinal && "結果が確定するまでは「暫定」と入ります。"}
        </Text>
        <SaveFileButton
          name={`mock-exam-${owner.exam}.pdf`}
          load={() => examResultPdf(owner)}
          what="PDF"
        />
      </TitledPanel>
      <TitledPanel title="ほかの学校でも判定する" gap="md">
        <SchoolSimulator owner={owner} isFinal={isFinal} />
      </TitledPanel>
    </>
  );
}
