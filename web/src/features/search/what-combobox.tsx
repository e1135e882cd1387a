// What to search for, with suggestions: a service becomes the words, a category a filter, and an institute opens.
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Suggestion } from '@soigne/contract/suggestions'
import { api } from '#/platform/api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { salonPath } from '#/paths.ts'
import { changeFilters, readForm, searchPath } from '#/search-filters.ts'
import { Combobox } from '#/ui/combobox.tsx'
import styles from './search-bar.module.css'

const fewestLetters = 2

/** Suggestions for the text so far, asked for after a short rest; those of the text before stay until others come. */
function useSuggestions(text: string): { items: readonly Suggestion[]; loading: boolean } {
  const [answer, setAnswer] = useState<{ text: string; items: readonly Suggestion[] }>({ text: '', items: [] })
  const q = text.trim()
  const wanted = q.length >= fewestLetters
  useEffect(() => {
    if (!wanted) return
    const asking = new AbortController()
    const tell = (items: readonly Suggestion[]) => {
      if (!asking.signal.aborted) setAnswer({ text: q, items })
    }
    const timer = setTimeout(() => {
      // A suggestion that does not come is no reason to disturb: what is typed stays valid.
      api.suggestions({ query: { q } }, { signal: asking.signal }).then(
        ({ items }) => tell(items),
        () => tell([]),
      )
    }, 120)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [q, wanted])
  return { items: wanted ? answer.items : [], loading: wanted && answer.text !== q }
}

const keyOf = (item: Suggestion) =>
  item.kind === 'category' ? item.category : item.kind === 'service' ? `service ${item.name}` : `institute ${item.slug}`

export type WhatComboboxProps = {
  text: string
  onText: (text: string) => void
  /** The form whose other fields go with a category. */
  form: () => HTMLFormElement | null
  autoFocus: boolean
  /** Somebody has typed already: they are shown what suits it. */
  hasTyped: boolean
}

export function WhatCombobox({ text, onText, form, autoFocus, hasTyped }: WhatComboboxProps) {
  const { t } = useTranslation(['search', 'labels'])
  const navigate = useNavigate()
  const { items, loading } = useSuggestions(text)
  const nameOf = (item: Suggestion) => (item.kind === 'category' ? t(`labels:categories.${item.category}`) : item.name)
  function choose(item: Suggestion) {
    if (item.kind === 'service') return onText(item.name)
    if (item.kind === 'institute') return void navigate(salonPath(item.slug))
    const sent = form()
    onText('')
    void navigate(searchPath(changeFilters(sent ? readForm(sent) : {}, { what: null, category: item.category })))
  }
  return (
    <Combobox
      label={t('what')}
      name="what"
      variant="bar"
      autoFocus={autoFocus}
      startsOpen={hasTyped}
      placeholder={t('whatPlaceholder')}
      inputProps={{ maxLength: 120, enterKeyHint: 'search' }}
      items={items}
      loading={loading}
      itemKey={keyOf}
      itemText={nameOf}
      itemGroup={({ kind }) => t(`kinds.${kind}`)}
      renderItem={(item) => (
        <span>
          <bdi>{nameOf(item)}</bdi> {item.kind === 'institute' && <bdi className="small muted">{item.city}</bdi>}
        </span>
      )}
      value={text}
      onValueChange={onText}
      onSelect={choose}
      statusText={(count, busy) => (busy ? t('lookingForWhat') : t('whatSuggestions', { count }))}
      className={styles.grow}
    />
  )
}
