// The parts of the page in a line; the cart in the address stays.
import type { Institute } from '@soigne/contract/institutes'
import { useEffect, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { useLocation } from 'react-router'
import { TabsNav } from '#/ui/tabs-nav.tsx'

const parts = ['services', 'team', 'reviews', 'hours'] as const
type Part = (typeof parts)[number]

/** The part that is being read: the last one whose head has passed the upper third. */
function useReadPart(shown: readonly Part[]): Part {
  const [part, setPart] = useState<Part>('services')
  const key = shown.join(' ')
  useEffect(() => {
    const read = () => {
      const passed = parts.filter(
        (one) => key.split(' ').includes(one) && (document.getElementById(one)?.getBoundingClientRect().top ?? Infinity) < innerHeight / 3,
      )
      setPart(passed.at(-1) ?? 'services')
    }
    addEventListener('scroll', read, { passive: true })
    return () => removeEventListener('scroll', read)
  }, [key])
  return part
}

export function PartsNav({ institute }: { institute: Institute }) {
  const { t } = useTranslation('institute')
  const { search } = useLocation()
  const shown = parts.filter(
    (part) =>
      (part !== 'reviews' || institute.rating.count > 0) &&
      (part !== 'team' || institute.team.length > 0) &&
      (part !== 'services' || institute.services.length > 0),
  )
  const current = useReadPart(shown)
  if (shown.length < 2) return null
  return (
    <TabsNav
      label={t('parts.label')}
      items={shown.map((part) => ({ to: { search, hash: `#${part}` }, label: t(`parts.${part}`), current: part === current }))}
    />
  )
}
