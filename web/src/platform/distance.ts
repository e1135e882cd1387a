/** 0.4, 12: kilometres without their unit, with the decimal sign of the language. */
export function kilometresText(kilometres: number, locale: string): string {
  const shown = kilometres < 10 ? Math.round(Math.max(0.1, kilometres) * 10) / 10 : Math.round(kilometres)
  return locale === 'fr' ? String(shown).replace('.', ',') : String(shown)
}
