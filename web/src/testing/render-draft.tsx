// A part of the setup over a draft that is kept, as the wizard holds it.
import type { Locale } from '@soigne/contract/wire'
import type { ReactNode } from 'react'
import { initialDraft, keepDraft, readDraft, type SetupDraft } from '#/features/setup/draft/draft.ts'
import { type DraftChange, useDraft } from '#/features/setup/draft/use-draft.ts'
import { renderPart } from '#/testing/render-part.tsx'

const userId = 'u'

type PartOf = (draft: SetupDraft, change: DraftChange) => ReactNode

function Draft({ part }: { part: PartOf }) {
  const [draft, change] = useDraft(userId)
  return part(draft, change)
}

/** `kept`: the draft as this device has it, which is all a reload would find. */
export function renderDraft(initial: Partial<SetupDraft>, part: PartOf, { locale = 'en' }: { locale?: Locale } = {}) {
  keepDraft({ ...initialDraft(userId), ...initial })
  return { ...renderPart(<Draft part={part} />, { locale }), kept: () => readDraft(userId) }
}

/** The page is loaded anew: only what this device kept is there. */
export const renderKept = (part: PartOf) => renderPart(<Draft part={part} />)
