// Keys of the catalogues, so that a misspelt one does not compile. The English files are the source.
import "i18next";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "site";
    resources: {
      site: typeof import("./locales/en/site.json");
      account: typeof import("./locales/en/account.json");
    };
  }
}
