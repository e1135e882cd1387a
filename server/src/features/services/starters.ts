/** What many institutes of a category begin with: names in three languages and ordinary lengths. No price: only the owner knows it. */
import type { Starter } from '@soigne/contract/services'
import type { Category } from '@soigne/contract/wire'
import starters from './starters.json' with { type: 'json' }

interface StoredStarter {
  key: string
  section: Record<'en' | 'fr' | 'ar', string>
  name: Record<'en' | 'fr' | 'ar', string>
  description: Record<'en' | 'fr' | 'ar', string>
  /** At work, waiting, at work again. */
  minutes: number[]
  cleanUp: number
  /** Comes after what is finished: a colour is not dried while it works. */
  isSequential?: boolean
  audience?: string
  minimumAge?: number
  /** The test that is asked for before. */
  first?: string
}
/** A patch test shows by then, and says nothing of the skin half a year later. */
const test = { minHours: 48, maxMonths: 6 }

export const startersOf = (category: Category): Starter[] =>
  (starters[category] as readonly StoredStarter[]).map(({ key, section, name, description, minutes, cleanUp, ...more }) => ({
    key,
    category,
    section,
    name,
    description,
    activeMinutes: minutes[0] ?? 0,
    idleMinutes: minutes[1] ?? 0,
    activeAfterMinutes: minutes[2] ?? 0,
    bufferAfterMinutes: cleanUp,
    isSequential: more.isSequential ?? false,
    audience: (more.audience ?? 'All') as Starter['audience'],
    minimumAge: more.minimumAge ?? null,
    prerequisites: more.first === undefined ? [] : [{ key: more.first, ...test }],
  }))
