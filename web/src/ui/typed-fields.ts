// Reads what was typed into a form, field by field, and says what is missing before the server is asked.

export type Typed<Name extends string> = Readonly<Record<Name, string>>

export function typedFields<Name extends string>(form: HTMLFormElement, names: readonly Name[]): Typed<Name> {
  const data = new FormData(form)
  const read = (name: Name) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
  // Every name is read, so every key is there; Object.fromEntries cannot say so.
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Typed<Name>
}

/** Something, an at sign, and a name with an ending. The server has the last word. */
export function looksLikeEmail(text: string): boolean {
  return /^\S+@[^\s@]+\.[^\s@]{2,}$/.test(text.trim())
}

/** The problems without that of the field being typed into: what was wrong is being mended. */
export function withoutMended<Problems extends object>(problems: Problems, { target }: { target: EventTarget }): Problems {
  const name =
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement ? target.name : ''
  if (!Object.hasOwn(problems, name)) return problems
  // Without one of its keys it is still a part of what it was.
  return Object.fromEntries(Object.entries(problems).filter(([field]) => field !== name)) as Problems
}

/** Brings the person to the first field that is wrong. */
export function focusFirstProblem(form: HTMLFormElement, names: readonly string[]): void {
  for (const name of names) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLElement) {
      field.focus()
      return
    }
  }
}
