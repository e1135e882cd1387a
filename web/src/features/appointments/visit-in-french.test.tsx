// Until when and on which day, as French says it: small inside a sentence, "jusqu’au" before a day and "jusqu’à" before tomorrow.
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderPart } from '#/testing/render-part.tsx'
import { visitAt } from '#/testing/visits.ts'
import { CancelVisit } from './cancel-visit.tsx'
import { VisitTerms } from './visit-terms.tsx'

const at = '2031-03-18T15:40:00.000Z'
const setNow = (now: string) => vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] })

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('in French', () => {
  it.each([
    ['2031-03-10T08:00:00Z', /Sans frais jusqu’au mardi 18 mars à 14:40.*Ensuite, jusqu’au mardi 18 mars à 16:40/],
    ['2031-03-17T08:00:00Z', /Sans frais jusqu’à demain, 14:40.*Ensuite, jusqu’à demain, 16:40/],
    ['2031-03-18T08:00:00Z', /Sans frais jusqu’à 14:40 aujourd’hui.*Ensuite, jusqu’à 16:40 aujourd’hui/],
  ])('at %s it is free until', (now, said) => {
    setNow(now)
    renderPart(<VisitTerms appointment={visitAt(at)} />, { locale: 'fr' })
    expect(screen.getByRole('heading', { name: 'En cas d’imprévu' }).parentElement?.textContent).toMatch(said)
  })

  it('the question before a visit is cancelled names its day inside a sentence', async () => {
    setNow('2031-03-10T08:00:00Z')
    renderPart(<CancelVisit appointment={visitAt(at)} sums={async () => null} onStart={vi.fn()} onDone={vi.fn()} onTooLate={vi.fn()} />, {
      locale: 'fr',
    })
    await userEvent.click(screen.getByRole('button', { name: 'Annuler' }))
    await waitFor(() => expect(screen.getByRole('alertdialog').textContent).toContain(', le mardi 18 mars à 16:40.'))
    expect(screen.getByRole('alertdialog').textContent).toContain('Sans frais jusqu’au mardi 18 mars à 14:40')
  })
})
