// The name with the petal as its accent.
import { petalPath } from "#/theme/icons/petal.tsx";
import { brand } from "#/platform/brand.ts";
import styles from "./logo.module.css";

/** The last letter is drawn as a plain e; the petal is its accent. */
export function Logo() {
  const stem = brand.slice(0, -1);
  return (
    <span className={styles.logo} dir="ltr">
      <span className="visually-hidden">{brand}</span>
      <span aria-hidden="true">
        {stem}
        <span className={styles.accented}>
          e
          <svg viewBox="-24 -36 48 72">
            <path d={petalPath} />
          </svg>
        </span>
      </span>
    </span>
  );
}
