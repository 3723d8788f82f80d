/**
 * Form fields and their validation rules, the same in every form. Forms are in controlled mode,
 * because one field may fill another.
 */
export { AgreementField } from "./fields/AgreementField";
export { BirthDateField } from "./fields/BirthDateField";
export { CodeField } from "./fields/CodeField";
export { CurrentPasswordField } from "./fields/CurrentPasswordField";
export { NameFields } from "./fields/NameFields";
export { NewPasswordField } from "./fields/NewPasswordField";
export { PostalCodeField } from "./fields/PostalCodeField";
export type { FieldProps } from "./fields/props";
export { SchoolYearField, schoolYearFrom } from "./fields/SchoolYearField";
export { prefectures } from "./prefectures";
export { type Day, dayInWords, isMinor, parseDay, schoolYears, todayInTokyo } from "./rules/birth";
export { choiceOf, lineOf, nameOf, rules, wordsOf } from "./rules/rules";
export { limits } from "./rules/limits";
export { fieldSentence, type FormName, refusedFields } from "./rules/fieldSentences";
export { lengthOf } from "./rules/text";
export { validated } from "./rules/validated";
export { useSchemaForm } from "./useSchemaForm";
