// Holds the page still while a modal is open. Several may overlap, so the holders are counted.
import { useEffect } from "react";

let holders = 0;

function lock() {
  holders += 1;
  const root = document.documentElement;
  // The gutter stays where the scrollbar was, so the page does not jump sideways.
  if (root.scrollHeight > root.clientHeight) root.style.scrollbarGutter = "stable";
  root.style.overflow = "hidden";
}

function release() {
  holders -= 1;
  if (holders > 0) return;
  document.documentElement.style.overflow = "";
  document.documentElement.style.scrollbarGutter = "";
}

export function useScrollLock(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    lock();
    return release;
  }, [active]);
}
