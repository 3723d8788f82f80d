/** Phone numbers, in an entry point of their own: the library is large, and few screens need it. */
export { PhoneField } from "./PhoneField";
export { nationalPhone, phone } from "./phone";
