/**
 * The kit: form fields based on Mantine, each with its stylesheet. Only this library may import
 * `@mantine/core`; `boundaries.test.ts` checks it.
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
