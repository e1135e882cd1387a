import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { renderPart } from '#/testing/render-part.tsx'
import HelpPage from './help-page.tsx'
import { matchingGroups, type Group } from './questions.ts'

afterEach(cleanup)

const open = () => renderPart(<HelpPage />, { at: '/contact' })
const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search the answers' })
const answers = () => [...document.querySelectorAll('details')]
const questions = () => answers().map((one) => one.querySelector('summary')?.textContent)

describe('the Help Center', () => {
  it('[R-03] names its topics, and each leads to its questions', () => {
    open()
    const topics = within(screen.getByRole('navigation', { name: 'Topics' })).getAllByRole('link')
    expect(topics.length).toBeGreaterThanOrEqual(4)
    for (const topic of topics) {
      const group = document.getElementById((topic.getAttribute('href') ?? '').slice(1))
      const said = Number(/(\d+) answers?$/.exec(topic.textContent ?? '')?.[1])
      expect([topic.textContent, group?.querySelectorAll('details').length]).toEqual([topic.textContent, said])
      expect(within(group as HTMLElement).getByRole('heading', { level: 2 })).toBeTruthy()
    }
  })

  it('keeps the answers closed until somebody asks', () => {
    open()
    expect(answers().every((one) => !one.open)).toBe(true)
    expect(screen.getByRole('search').querySelector('[role=status]')?.textContent).toBe('')
  })

  it('finds answers by any of their words, opens them, and says how many there are', async () => {
    open()
    const all = answers().length
    await userEvent.type(field(), 'cancel')
    await waitFor(() => expect(answers().length).toBeLessThan(all))
    expect(questions()).toContain('Until when can I cancel?')
    expect(answers().every((one) => one.open)).toBe(true)
    expect(screen.getByText(`${answers().length} answers`)).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Topics' })).toBeNull()
  })

  it('what nobody has asked says so, and the way to a person stays', async () => {
    open()
    await userEvent.type(field(), 'zeppelin')
    expect(await screen.findByText('No answers found. Try fewer words, or write to us.')).toBeTruthy()
    expect(answers()).toEqual([])
    expect(screen.getByRole('link', { name: 'Write an email' }).getAttribute('href')).toMatch(/^mailto:.+@/)
  })

  it('comes back whole when the words are taken away', async () => {
    open()
    const all = questions()
    await userEvent.type(field(), 'refund')
    await userEvent.clear(field())
    await waitFor(() => expect(questions()).toEqual(all))
    expect(screen.getByRole('navigation', { name: 'Topics' })).toBeTruthy()
  })

  it('spaces alone are no question', async () => {
    open()
    const all = answers().length
    await userEvent.type(field(), '   ')
    expect(answers()).toHaveLength(all)
  })
})

describe('finding a question', () => {
  const groups: Group[] = [
    {
      id: 'a',
      title: 'Réservation',
      text: '',
      questions: [
        { id: 'q1', question: 'Où est mon horaire ?', answers: ['Dans l’Été.'] },
        { id: 'q2', question: 'Combien ?', answers: ['Dix euros.', 'Au salon.'] },
      ],
    },
    { id: 'b', title: 'الحجز', text: '', questions: [{ id: 'q3', question: 'أين موعدي؟', answers: ['هنا.'] }] },
  ]
  const found = (text: string) => matchingGroups(groups, text).flatMap((group) => group.questions.map(({ id }) => id))

  it.each([
    ['ete', ['q1']],
    ['ÉTÉ', ['q1']],
    ['reservation', ['q1', 'q2']],
    ['salon dix', ['q2']],
    ['salon horaire', []],
    ['موعدي', ['q3']],
    ['', ['q1', 'q2', 'q3']],
  ])('“%s” finds %o, without regard to case, accents and order', (text, ids) => {
    expect(found(text)).toEqual(ids)
  })
})
