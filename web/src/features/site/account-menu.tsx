// The face in the header and what opens under it.
import type { SessionUser } from "@soigne/contract/session";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { Icon } from "#/theme/icons/icon.tsx";
import { FaceImage } from "#/ui/face-image.tsx";
import { accountLinks } from "./site-links.ts";
import { useLogout } from "./use-logout.ts";
import styles from "./account-menu.module.css";

/** Closes on Escape, on a press outside, and when focus leaves. */
function useDismiss(open: boolean, close: () => void) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    function isOutside(target: EventTarget | null) {
      return target instanceof Node && !frame.current?.contains(target);
    }
    function press(event: PointerEvent) {
      if (isOutside(event.target)) close();
    }
    function leave(event: FocusEvent) {
      if (isOutside(event.target)) close();
    }
    function key(event: KeyboardEvent) {
      if (event.key !== "Escape") return;
      close();
      frame.current?.querySelector("button")?.focus();
    }
    document.addEventListener("pointerdown", press);
    document.addEventListener("focusin", leave);
    document.addEventListener("keydown", key);
    return () => {
      document.removeEventListener("pointerdown", press);
      document.removeEventListener("focusin", leave);
      document.removeEventListener("keydown", key);
    };
  }, [open, close]);
  return frame;
}

export function AccountMenu({ user }: { user: SessionUser }) {
  const { t } = useTranslation("site");
  const listId = useId();
  const { key } = useLocation();
  // Open on one entry of the history only: a navigation closes it by itself.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === key;
  const frame = useDismiss(open, () => setOpenAt(null));
  const logout = useLogout();
  const name = `${user.firstName} ${user.lastName}`.trim();
  return (
    <div className={styles.frame} ref={frame}>
      <button
        type="button"
        className={styles.button}
        aria-expanded={open}
        aria-controls={listId}
        aria-label={t("account.label", { name })}
        onClick={() => setOpenAt(open ? null : key)}
      >
        <FaceImage seed={user.id} photoUrl={user.imageUrl ?? undefined} size={40} />
        <span className={styles.name}>{user.firstName}</span>
        <Icon name="chevron-down" size={18} />
      </button>
      <div id={listId} hidden={!open} className={styles.panel}>
        <p className={styles.person}>
          <bdi className="strong">{name}</bdi>
          <bdi className="small muted truncate">{user.email}</bdi>
        </p>
        <ul>
          {accountLinks(user).map((link) => (
            <li key={link.to}>
              <Link to={link.to} className={styles.entry}>
                <Icon name={link.icon} />
                {t(`links.${link.label}`)}
              </Link>
            </li>
          ))}
          <li className={styles.last}>
            <button type="button" className={styles.entry} onClick={logout}>
              <Icon name="logout" />
              {t("links.logout")}
            </button>
          </li>
        </ul>
      </div>
    </div>
  );
}
