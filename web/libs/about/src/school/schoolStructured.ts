import { paths, seller } from "@konomana/paths";

/** The operator of the site, as JSON-LD for search engines. Only the prerender writes it. */
export function organization(_: unknown, absolute: (path: string) => string): object[] {
  return [
    {
      "@context": "https://schema.org",
      "@type": "AboutPage",
      url: absolute(paths.about()),
      mainEntity: {
        "@type": "EducationalOrganization",
        "@id": absolute("/#organization"),
        name: "コノマナ",
        legalName: seller.name,
        description:
          "中学生・高校生のためのオンライン学習。架空の会社によるデモンストレーションです。",
        email: seller.email,
        url: absolute(paths.home()),
        logo: absolute("/favicon.svg"),
        image: absolute("/share/site.png"),
      },
    },
  ];
}
