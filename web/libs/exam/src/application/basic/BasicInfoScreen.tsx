import { paths } from "@konomana/paths";
import { addressQuery, useSession } from "@konomana/session";
import { Lines, LoadingState, Note, Text, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import type { BasicInfo, Sheet } from "../../api";
import { ExtraTimeNote } from "../ExtraTimeNote";
import { hasExtraTime } from "../extraTime";
import { Fixed } from "../Fixed";
import { hasStarted } from "../steps";
import { StepScreen } from "../StepScreen";
import { BasicInfoForm } from "./BasicInfoForm";

/** /mypage/mockexam/{id}/basicinfo: the candidate's data. */
export function BasicInfoScreen() {
  return (
    <StepScreen step="basic_info" title="基本情報">
      {(sheet) => (
        <>
          <Info sheet={sheet} />
          <ExtraTime percent={sheet.time_percent} />
        </>
      )}
    </StepScreen>
  );
}

function Info({ sheet }: { sheet: Sheet }) {
  const { exam, basic_info } = sheet;
  if (hasStarted(sheet) && basic_info !== null) return <FixedInfo info={basic_info} />;
  if (basic_info === null) return <FromProfile exam={exam.id} />;
  return <BasicInfoForm exam={exam.id} known={basic_info} isSaved />;
}

/** Where to request extra time, for learners without it. */
function ExtraTime({ percent }: { percent: number }) {
  if (hasExtraTime(percent)) return <ExtraTimeNote percent={percent} />;
  return (
    <Note>
      病気や障がいなどで、試験の時間の延長（1.3倍または1.5倍）が必要な方は、受ける前に
      <TextLink to={paths.contact()}>お問い合わせ</TextLink>
      の「その他」からお知らせください。
    </Note>
  );
}

/**
 * Prefills the form from the account. If the address can't be loaded, only the prefecture is
 * missing.
 */
function FromProfile({ exam }: { exam: number }) {
  const { user } = useSession();
  const { data: address, isPending } = useQuery(addressQuery);
  if (isPending) return <LoadingState rows={4} height="4rem" />;
  const known = {
    last_name: user?.last_name ?? "",
    first_name: user?.first_name ?? "",
    last_kana: user?.last_name_kana ?? "",
    first_kana: user?.first_name_kana ?? "",
    school_year: user?.school_year ?? "",
    school_name: user?.school_name ?? "",
    prefecture: address?.prefecture ?? "",
  };
  return <BasicInfoForm exam={exam} known={known} isSaved={false} />;
}

function FixedInfo({ info }: { info: BasicInfo }) {
  const rows = [
    ["お名前", `${info.last_name} ${info.first_name}`],
    ["フリガナ", `${info.last_kana} ${info.first_kana}`],
    ["学年", info.school_year],
    ["学校", info.school_name],
    ["都道府県", info.prefecture],
  ] as const;
  return (
    <>
      <Fixed />
      <Lines>
        {rows.map(([name, value]) => (
          <li key={name}>
            <Note as="div">{name}</Note>
            <Text>{value}</Text>
          </li>
        ))}
      </Lines>
    </>
  );
}
