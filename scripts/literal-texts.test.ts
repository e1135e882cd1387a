/** A text that stands in the code instead of a catalogue is seen, wherever a page can hold one; what is no text is let through. */
import { expect, it } from 'vitest'
import { literalTexts } from './literal-texts.ts'

const of = (body: string): string[] =>
  literalTexts('page.tsx', `export const Page = () => (${body})`).map((fault) =>
    fault.replace(/^page\.tsx: '(.*)' is in no catalogue$/, '$1'),
  )

it.each([
  ['<p>Book now</p>', ['Book now']],
  ['<p>{t("a")} now</p>', ['now']],
  ["<p>{'Book now'}</p>", ['Book now']],
  ["<p>{isOpen ? 'Open' : t('closed')}</p>", ['Open']],
  ["<p>{isOpen && 'Open'}</p>", ['Open']],
  ["<p>{name ?? 'Nobody'}</p>", ['Nobody']],
  ['<p>{`${count} times`}</p>', ['times']],
  ['<>Book now</>', ['Book now']],
  ['<button aria-label="Close" />', ['Close']],
  ["<img alt={isOpen ? 'Open door' : ''} />", ['Open door']],
  ['<Field label={`Line ${at}`} hint="As on the door" />', ['Line', 'As on the door']],
  ['<section>{list.map((one) => <li>Inside</li>)}</section>', ['Inside']],
  ['<p title="محجوز">{x}</p>', ['محجوز']],
])('%s', (body, texts) => {
  expect(of(body)).toEqual(texts)
})

it.each([
  '<p className="strong">{t("a")}</p>',
  "<p data-state={isOpen ? 'open' : 'shut'}>{text}</p>",
  '<p>{a} · {b} × {c}</p>',
  "<p>{kind === 'open' ? t('open') : t('shut')}</p>",
  '<Logo>Soigné</Logo>',
  '<a href="/institutes" rel="noreferrer">{name}</a>',
  "<Icon name={isOpen ? 'up' : 'down'} />",
])('%s says nothing by itself', (body) => {
  expect(of(body)).toEqual([])
})
