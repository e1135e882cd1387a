// The full-screen menu of small windows.
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { NavLink, useLocation } from "react-router";
import type { Session } from "#/platform/session.tsx";
import { paths } from "#/paths.ts";
import { Icon } from "#/theme/icons/icon.tsx";
import { Button } from "#/ui/button.tsx";
import { FaceImage } from "#/ui/face-image.tsx";
import { IconButton } from "#/ui/icon-button.tsx";
import { Modal } from "#/ui/modal.tsx";
import { Logo } from "./logo.tsx";
import { accountLinks, userLinks, visitorLinks, type SiteLink } from "./site-links.ts";
import { useLogout } from "./use-logout.ts";
import styles from "./site-menu.module.css";

function linksFor(session: Session): readonly SiteLink[] {
  if (session.kind !== "user") return visitorLinks;
  const links = userLinks(session.user.role);
  const more = accountLinks(session.user).filter((link) => !links.some(({ to }) => to === link.to));
  return [...links, ...more];
}

/** Closes when a link has led somewhere, and when the window has grown past the menu. */
function useCloseWhenDone(onClose: () => void) {
  const { key } = useLocation();
  const openedAt = useRef(key);
  useEffect(() => {
    if (key !== openedAt.current) onClose();
  }, [key, onClose]);
  useEffect(() => {
    const wide = matchMedia("(min-width: 800px)");
    wide.addEventListener("change", onClose);
    return () => wide.removeEventListener("change", onClose);
  }, [onClose]);
}

function Person({ session }: { session: Session }) {
  if (session.kind !== "user") return null;
  const { user } = session;
  return (
    <div className={styles.person}>
      <FaceImage seed={user.id} photoUrl={user.imageUrl ?? undefined} size={52} />
      <p>
        <bdi className="strong">{`${user.firstName} ${user.lastName}`}</bdi>
        <bdi className="small muted">{user.institute?.name ?? user.email}</bdi>
      </p>
    </div>
  );
}

export function SiteMenu({ session, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useTranslation("site");
  const logout = useLogout();
  useCloseWhenDone(onClose);
  return (
    <Modal open onClose={onClose} label={t("menu.label")} placement="full">
      <div className={styles.menu}>
        <div className={styles.top}>
          <Logo />
          <IconButton icon="close" iconSize={24} label={t("menu.close")} onClick={onClose} />
        </div>
        <Person session={session} />
        <nav aria-label={t("menu.label")}>
          {linksFor(session).map((link) => (
            <NavLink key={link.to} to={link.to} end={link.to === paths.home} className={styles.link ?? ""} onClick={onClose}>
              <Icon name={link.icon} className={styles.icon} />
              {t(`links.${link.label}`)}
            </NavLink>
          ))}
        </nav>
        {session.kind === "user" && (
          <Button variant="outline" size="large" wide icon="logout" className={styles.logout} onClick={logout}>
            {t("links.logout")}
          </Button>
        )}
      </div>
    </Modal>
  );
}
