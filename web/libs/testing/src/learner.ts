import type { Answer } from "@konomana/http";

/** The learner of the tests. */
export const learner: Answer<"GET", "/api/accounts/user/"> = {
  id: "018f0000-0000-7000-8000-000000000001",
  email: "adult@demo.example",
  last_name: "木下",
  first_name: "葵",
  last_name_kana: "キノシタ",
  first_name_kana: "アオイ",
  birth_date: "2011-04-01",
  school_year: "高1",
  scope: ["learner"],
  created: "2025-03-10T00:00:00Z",
  school_name: "",
  guardian_consent: "not_needed",
  erase_at: null,
  requested_birth_date: null,
  suspended_passkeys: 0,
  news: false,
};
