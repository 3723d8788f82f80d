/** The kit: form fields of native inputs, each with its label, description and error. */
export { CheckboxField } from "./fields/CheckboxField";
export { EmailField } from "./fields/EmailField";
export { FieldError } from "./fields/FieldError";
export { FieldLabel } from "./fields/FieldLabel";
export { Input } from "./fields/Input";
export { PasswordField } from "./fields/PasswordField";
export { Radio, RadioGroup } from "./fields/Radio";
export { SelectField } from "./fields/SelectField";
export { TextAreaField } from "./fields/TextAreaField";
export { TextField } from "./fields/TextField";
