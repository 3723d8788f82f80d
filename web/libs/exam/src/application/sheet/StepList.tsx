import { paths } from "@konomana/paths";
import { useAtServerTime } from "@konomana/query";
import {
  Badge,
  ButtonLink,
  formatDateTime,
  Lines,
  Note,
  Text,
  TextLink,
  VisuallyHidden,
} from "@konomana/ui-base";
import type { Sheet } from "../../api";
import { deviceId } from "../../device/deviceId";
import { hasStarted, isDone, isOpen, pathOfStage, type Step, stepNames, steps } from "../steps";
import styles from "./sheet.module.css";

/** The steps up to the exam: completed, next and later ones. */
export function StepList({ sheet }: { sheet: Sheet }) {
  return (
    <Lines as="ol" className="kn-numbered">
      {steps.map((step) => (
        <Row key={step} step={step} sheet={sheet} />
      ))}
    </Lines>
  );
}

function Row({ step, sheet }: { step: Step; sheet: Sheet }) {
  const { stage } = sheet;
  const done = isDone(step, stage);
  return (
    <li
      className={`kn-row kn-roomy ${styles.step}`}
      data-state={done ? "done" : isOpen(step, stage) ? "next" : "later"}
    >
      <div className="kn-grow">
        <Text bold>{stepNames[step]}</Text>
        <Note>{noteOf(step, sheet)}</Note>
      </div>
      <StepAction step={step} sheet={sheet} done={done} />
    </li>
  );
}

function StepAction({ step, sheet, done }: { step: Step; sheet: Sheet; done: boolean }) {
  const { exam, stage } = sheet;
  if (done)
    return (
      <>
        {step !== "seat" && step !== "exam" && (
          <TextLink to={pathOfStage(step, exam.id)}>
            {step === "device_check" || hasStarted(sheet) ? "見る" : "見る・変える"}
            <VisuallyHidden>（{stepNames[step]}）</VisuallyHidden>
          </TextLink>
        )}
        <Badge color="teal" size="lg">
          完了
        </Badge>
      </>
    );
  if (stage !== step)
    return (
      <Badge color="gray" variant="outline" size="lg">
        まだ
      </Badge>
    );
  if (step === "exam") return <StartExam sheet={sheet} />;
  return (
    <ButtonLink to={pathOfStage(step, exam.id)}>
      {stepNames[step]}
      {step === "desired_schools" ? "を選ぶ" : step === "device_check" ? "をする" : "を入れる"}
    </ButtonLink>
  );
}

function StartExam({ sheet: { exam } }: { sheet: Sheet }) {
  const { starts_at, ends_at } = exam;
  const phase = useAtServerTime([starts_at, ends_at], (now) =>
    now < Date.parse(starts_at) ? "before" : now < Date.parse(ends_at) ? "open" : "over",
  );
  switch (phase) {
    case "before":
      return (
        <Badge color="blue" variant="outline" size="lg">
          準備ができました
        </Badge>
      );
    case "open":
      return <ButtonLink to={paths.examSitting(exam.id)}>受験する</ButtonLink>;
    case "over":
      return (
        <Badge color="gray" variant="outline" size="lg">
          終わりました
        </Badge>
      );
    default:
      return null;
  }
}

function noteOf(step: Step, sheet: Sheet): string {
  const { exam, stage, basic_info, desired_schools, device_checks } = sheet;
  switch (step) {
    case "seat":
      return "席を確保しました。";
    case "basic_info":
      return basic_info === null
        ? "名前、学年、学校、都道府県"
        : `${basic_info.last_name} ${basic_info.first_name}さん・${basic_info.school_year}`;
    case "desired_schools":
      return desired_schools.length === 0
        ? "1校から5校まで"
        : desired_schools.map(({ rank, school }) => `第${rank}志望 ${school.name}`).join("、");
    case "device_check":
      if (stage === "handed_in") return "確認しました。";
      return device_checks.some(({ device_id, passed }) => passed && device_id === deviceId())
        ? "この端末で受けられます。"
        : device_checks.some(({ passed }) => passed)
          ? "ほかの端末は確認済みです。この端末で受けるときは、この端末でも確かめてください。"
          : "ブラウザ、時計、保存、通信、音";
    case "exam":
      if (stage === "handed_in") return "すべての教科を提出しました。";
      return `${formatDateTime(exam.starts_at)}から、1教科ずつ受けられます。`;
  }
}
