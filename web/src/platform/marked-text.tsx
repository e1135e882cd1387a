// A text with parts that are more than letters: "Free <when>this evening</when>". Values are put in after the marks are read, so
// that no name can be taken for one.
import { cloneElement, Fragment, type ReactElement, type ReactNode } from 'react'
import type { Trans as TypedTrans } from 'react-i18next'
import { useTranslation } from './translation.ts'

type Say = (key: string, values: Readonly<Record<string, unknown>>) => string
type MarkedTextProps = {
  ns?: string
  t?: Say
  i18nKey: string
  count?: number
  values?: Readonly<Record<string, string | number>>
  components?: Readonly<Record<string, ReactElement<{ children?: ReactNode }>>>
}

type Part = { mark: string; children: ReactNode[] }

/** Private to this file, so that no text has it. */
const valueMark = /\uE000(\d+)\uE001/g

function parse(text: string, components: NonNullable<MarkedTextProps['components']>, plain: (text: string) => string): ReactNode[] {
  const open: Part[] = [{ mark: '', children: [] }]
  const last = (): Part => open.at(-1) ?? { mark: '', children: [] }
  const close = (): void => {
    const part = open.pop()
    const element = part && components[part.mark]
    if (!part) return
    const { children } = last()
    const key = children.length
    children.push(element ? cloneElement(element, { key }, ...part.children) : <Fragment key={key}>{part.children}</Fragment>)
  }
  for (const [, letters, end, mark = '', alone] of text.matchAll(/([^<]+)|<(\/?)(\w+)\s*(\/?)>/g)) {
    if (letters !== undefined) last().children.push(plain(letters))
    else if (end) {
      if (open.length > 1) close()
    } else {
      open.push({ mark, children: [] })
      if (alone) close()
    }
  }
  while (open.length > 1) close()
  return last().children
}

function MarkedText({ ns, t: given, i18nKey, count, values = {}, components = {} }: MarkedTextProps) {
  const { t } = useTranslation(ns as 'site')
  const say = given ?? (t as unknown as Say)
  const names = Object.keys(values)
  const places = Object.fromEntries(names.map((name, index) => [name, `\uE000${index}\uE001`]))
  const text = say(i18nKey, { ...places, ...(count !== undefined && { count }) })
  const plain = (letters: string) => letters.replaceAll(valueMark, (_, index: string) => String(values[names[Number(index)] ?? ''] ?? ''))
  return <>{parse(text, components, plain)}</>
}

/** Typed as react-i18next's, with the keys of the catalogues. */
export const Trans = MarkedText as unknown as typeof TypedTrans
