/**
 * The kit: the fields of forms, made of Mantine, each with its stylesheet. This is the one door to
 * `@mantine/core`; lint closes the others.
 */
export { CheckboxField } from "./fields/CheckboxField";
export { EmailField } from "./fields/EmailField";
export { Input, InputError, InputLabel } from "./fields/Input";
export { PasswordField } from "./fields/PasswordField";
export { Radio, RadioGroup } from "./fields/Radio";
export { SelectField } from "./fields/SelectField";
export { TextAreaField } from "./fields/TextAreaField";
export { TextField } from "./fields/TextField";
export { KitProvider } from "./theme/KitProvider";
export { breakpoints, theme } from "./theme/theme";
