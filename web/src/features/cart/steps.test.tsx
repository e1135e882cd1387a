import type { Institute } from '@soigne/contract/institutes'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mostServices } from '#/contract/limits.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { gelManicure, handMassage, ines, maud, nacre } from '#/testing/institutes.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { readChoice, type CartItem, type Choice } from './choice.ts'
import { MemberStep } from './member-step.tsx'
import { priceCart } from './priced-cart.ts'
import { ServicesStep } from './services-step.tsx'
import { Summary } from './summary.tsx'

const choiceOf = (query: string, institute: Institute = nacre): Choice => readChoice(new URLSearchParams(query), institute)
const both = `service=${gelManicure}&service=${handMassage}`
const radio = (name: RegExp | string) => screen.getByRole<HTMLInputElement>('radio', { name })

/** Fifteen services, more than one visit takes. */
const large: Institute = {
  ...nacre,
  services: Array.from({ length: 15 }, (_, at) => ({
    ...nacre.services[0]!,
    _id: `s${at}`,
    name: `Service ${at}`,
    section: at < 8 ? 'Hands' : 'Feet',
  })),
}

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('choosing services', () => {
  function Step({ institute, query = '', onContinue = () => {} }: { institute: Institute; query?: string; onContinue?: () => void }) {
    const [choice, setChoice] = useState(() => choiceOf(query, institute))
    return (
      <>
        <ServicesStep institute={institute} choice={choice} onChange={setChoice} onContinue={onContinue} />
        <button type="submit" form="booking-step">
          Go on
        </button>
        <output>{choice.items.map(({ serviceId }) => serviceId).join(' ')}</output>
      </>
    )
  }

  it('[R-08] shows every service by section with its length and price', () => {
    renderPart(<Step institute={nacre} />)
    const hands = within(screen.getByRole('group', { name: 'Hands' }))
    expect(hands.getByRole('checkbox', { name: /Gel manicure.*60 min.*€38/s })).toBeTruthy()
    expect(hands.getByRole('checkbox', { name: /Hand massage.*20 min.*€14/s })).toBeTruthy()
  })

  it('keeps the order in which they are chosen and lets one go again', async () => {
    renderPart(<Step institute={nacre} />)
    await userEvent.click(screen.getByRole('checkbox', { name: /Hand massage/ }))
    await userEvent.click(screen.getByRole('checkbox', { name: /Gel manicure/ }))
    expect(screen.getByRole('status').textContent).toBe(`${handMassage} ${gelManicure}`)
    await userEvent.click(screen.getByRole('checkbox', { name: /Hand massage/ }))
    expect(screen.getByRole('status').textContent).toBe(gelManicure)
  })

  it('the keyboard chooses as well', async () => {
    renderPart(<Step institute={nacre} />)
    await userEvent.tab()
    await userEvent.keyboard(' ')
    expect(screen.getByRole('status').textContent).toBe(gelManicure)
  })

  it('no more than a visit takes can be chosen, and a chosen one can always be let go', async () => {
    renderPart(
      <Step
        institute={large}
        query={large.services
          .slice(0, mostServices)
          .map(({ _id }) => `service=${_id}`)
          .join('&')}
      />,
    )
    const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^${name} `) })
    expect(box('Service 14').disabled).toBe(true)
    expect(box('Service 0').disabled).toBe(false)
    await userEvent.click(box('Service 0'))
    expect(box('Service 14').disabled).toBe(false)
  })

  it('a service that nobody performs online is not offered', () => {
    const [first, second] = nacre.services
    renderPart(<Step institute={{ ...nacre, services: [first!, { ...second!, performers: [] }] }} />)
    expect(screen.getAllByRole('checkbox')).toHaveLength(1)
  })

  it('a price that only begins there says from, and what is on request is not booked here', () => {
    const [first, second] = nacre.services
    const services = [
      { ...first!, priceKind: 'from' as const },
      { ...second!, price: null, priceKind: 'on_request' as const },
    ]
    renderPart(<Step institute={{ ...nacre, services }} />)
    expect(screen.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent)).toEqual([expect.stringMatching(/from €38/)])
  })

  it('goes on by its button, once for each press', async () => {
    const onContinue = vi.fn<() => void>()
    renderPart(<Step institute={nacre} query={`service=${gelManicure}`} onContinue={onContinue} />)
    await userEvent.click(screen.getByRole('button', { name: 'Go on' }))
    expect(onContinue).toHaveBeenCalledOnce()
  })

  it('sent without scripts, it asks who is wanted for the same services', () => {
    const { container } = renderPart(<Step institute={nacre} query={both} />)
    const sent = new FormData(container.querySelector('form') as HTMLFormElement)
    expect(sent.getAll('service')).toEqual([gelManicure, handMassage])
    expect(sent.get('step')).toBe('professional')
  })
})

describe('choosing who performs', () => {
  const tomorrow = '2026-11-20T09:00:00.000Z'
  function open(query: string, times: Record<string, string | null> = {}, institute: Institute = nacre) {
    const seen = fakeServer({
      nextTimes: ({ query: asked }) => {
        const startsAt = times[asked.getAll('staff').join()] === undefined ? tomorrow : times[asked.getAll('staff').join()]
        return { timeZone: nacre.timeZone, times: startsAt ? [{ startsAt, endsAt: startsAt }] : [] }
      },
    })
    const changed = vi.fn<(items: readonly CartItem[]) => void>()
    const choice = choiceOf(query, institute)
    renderPart(
      <MemberStep
        institute={institute}
        choice={choice}
        cart={priceCart(institute, choice.items)}
        onChange={changed}
        onContinue={() => {}}
      />,
    )
    return { seen, changed }
  }

  it('[R-09] offers anyone first and whoever performs it, each with the next free time', async () => {
    const { seen } = open(`service=${gelManicure}`)
    const names = screen.getAllByRole('radio').map((one) => one.closest('label')?.textContent ?? '')
    expect(names[0]).toMatch(/^Anyone free/)
    expect(names).toHaveLength(3)
    await waitFor(() => expect(screen.getAllByText('Next free')).toHaveLength(3))
    expect(seen.map(({ query }) => query.getAll('staff').join()).toSorted()).toEqual([ines, maud, 'any'].toSorted())
  })

  it('says what anyone costs where somebody who asks more is had by name alone', () => {
    const services = nacre.services.map((service) => ({
      ...service,
      performers: service.performers.map((one) => (one.staffId === maud ? { ...one, onlyByName: true as const } : one)),
    }))
    const dear = { ...nacre, services }
    const step = (institute: Institute) => {
      const choice = choiceOf(`service=${gelManicure}`, institute)
      const props = { institute, choice, cart: priceCart(institute, choice.items), onChange: () => {}, onContinue: () => {} }
      return renderPart(<MemberStep {...props} />)
    }
    fakeServer({ nextTimes: () => ({ timeZone: nacre.timeZone, times: [] }) })
    step(dear)
    expect(screen.getByText('“Anyone free” keeps to this price. People who charge more are chosen by name.')).toBeTruthy()
    expect(radio(/^Anyone free/).closest('label')?.textContent).toContain('€38')
    cleanup()
    step(nacre)
    expect(screen.getByText('“Anyone free” gives you the most times.')).toBeTruthy()
  })

  it('who has no time ahead cannot be chosen, and an absence is named instead', async () => {
    open(`service=${gelManicure}`, { [ines]: null, [maud]: null })
    await waitFor(() => expect(radio(/Inès/).disabled).toBe(true))
    expect(screen.getByText('No free times')).toBeTruthy()
    expect(radio(/Maud/).closest('label')?.textContent).toContain('Away')
    expect(radio(/Maud/).closest('label')?.textContent).not.toContain('No free times')
    expect(radio(/Anyone/).disabled).toBe(false)
  })

  it('says what each person asks, and between what anyone does', () => {
    open(`service=${gelManicure}`)
    const cards = screen.getAllByRole('radio').map((one) => one.closest('label')?.textContent ?? '')
    expect(cards[0]).toMatch(/^Anyone free.*€38\s–\s€44/)
    expect(cards[1]).toMatch(/Inès.*€38/)
    expect(cards[2]).toMatch(/Maud.*€44/)
  })

  it('says what one person asks for everything, and for each service apart', async () => {
    open(both)
    expect(radio(/Inès/).closest('label')?.textContent).toContain('€52')
    await userEvent.click(screen.getByRole('button', { name: 'Someone for each service' }))
    const gel = within(screen.getByRole('group', { name: 'Gel manicure' }))
    expect(gel.getByRole('radio', { name: /Maud/ }).closest('label')?.textContent).toContain('€44')
  })

  it('one person is taken for every service', async () => {
    const { changed } = open(both)
    expect(screen.getByRole('radiogroup', { name: 'Your professional for every service' })).toBeTruthy()
    expect(screen.queryByRole('radio', { name: /Maud/ })).toBeNull()
    await userEvent.click(radio(/Inès/))
    expect(changed).toHaveBeenLastCalledWith([
      { serviceId: gelManicure, staffId: ines },
      { serviceId: handMassage, staffId: ines },
    ])
  })

  it('a person for each service is chosen service by service', async () => {
    const { changed } = open(both)
    await userEvent.click(screen.getByRole('button', { name: 'Someone for each service' }))
    const gel = within(screen.getByRole('group', { name: 'Gel manicure' }))
    await userEvent.click(gel.getByRole('radio', { name: /Maud/ }))
    expect(changed).toHaveBeenLastCalledWith([
      { serviceId: gelManicure, staffId: maud },
      { serviceId: handMassage, staffId: null },
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Same person throughout' }))
    expect(screen.getByRole('radiogroup')).toBeTruthy()
  })

  it('different people in the address open it service by service', () => {
    open(`${both}&staff=${maud}&staff=${ines}`)
    expect(within(screen.getByRole('group', { name: 'Gel manicure' })).getByRole<HTMLInputElement>('radio', { name: /Maud/ }).checked).toBe(
      true,
    )
    expect(within(screen.getByRole('group', { name: 'Hand massage' })).getByRole<HTMLInputElement>('radio', { name: /Inès/ }).checked).toBe(
      true,
    )
  })

  it('where nobody performs everything there is only one for each', () => {
    const [first, second] = nacre.services
    const apart = { ...nacre, services: [{ ...first!, performers: [first!.performers[1]!] }, second!] }
    open(both, {}, apart)
    expect(screen.queryByRole('radiogroup')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Same person throughout' })).toBeNull()
  })
})

describe('the summary', () => {
  function open(query: string, part: Partial<Parameters<typeof Summary>[0]> = {}) {
    const choice = choiceOf(query)
    renderPart(
      <Summary
        institute={nacre}
        choice={choice}
        cart={priceCart(nacre, choice.items)}
        endsAt={null}
        action={<button>Go on</button>}
        {...part}
      />,
    )
    return screen.getByRole('complementary', { name: 'What you chose' })
  }

  it('begins with nothing and says what is to be chosen', () => {
    const panel = open('')
    expect(panel.textContent).toContain('Nothing chosen yet')
    expect(panel.textContent).toContain('Choose a professional')
    expect(panel.textContent).toContain('Choose a time')
    expect(panel.textContent).not.toContain('Total')
  })

  it('adds up what the chosen people ask', () => {
    const panel = open(`${both}&staff=${maud}&staff=${ines}`)
    expect(panel.textContent).toContain('80 min')
    expect(panel.textContent).toMatch(/Total€58/)
    expect(panel.textContent).toContain('with Maud')
    expect(panel.textContent).toContain('with Inès')
  })

  it('with anyone the sum lies between the least and the most', () => {
    const panel = open(`service=${gelManicure}&staff=any`)
    expect(panel.textContent).toMatch(/Total€38\s–\s€44/)
    expect(panel.textContent).toContain('with anyone free')
  })

  it('names the time on the clock of the institute, to its end once that is known', () => {
    const panel = open(`service=${gelManicure}&staff=any&at=2031-03-18T15:40:00Z`, { endsAt: '2031-03-18T16:40:00Z' })
    expect(panel.textContent).toContain('16:40–17:40')
  })

  it('shows a real picture as it is and cut paper in its wide cut', () => {
    expect(open('').querySelector('img')?.getAttribute('src')).toBe('/art/cover/nails/atelier-nacre.svg?shape=wide')
    cleanup()
    const institute = { ...nacre, pictures: [{ url: '/files/pictures/a.webp', alt: '' }] }
    expect(open('', { institute }).querySelector('img')?.getAttribute('src')).toBe('/files/pictures/a.webp')
  })
})
