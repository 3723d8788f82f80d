/** Phone numbers, apart from the rest: what knows them is large, and few screens ask for one. */
export { PhoneField } from "./PhoneField";
export { nationalPhone, phone } from "./phone";
