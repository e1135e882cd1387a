// The hosts of what lies over every page.
import { useTranslation } from "react-i18next";
import { ToastStack } from "#/ui/toast-stack.tsx";

export function Overlays() {
  const { t } = useTranslation("site");
  return <ToastStack label={t("overlays.toasts")} closeLabel={t("overlays.close")} />;
}
