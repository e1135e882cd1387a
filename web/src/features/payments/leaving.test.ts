// The way to whoever takes the money and back: the address the provider leads to, and the note that was typed.
import { returnPath } from '@soigne/contract/payments'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { leaveForProvider, noteOfHold, returnAddress } from './leaving.ts'

const page = '/salon/encre-douce/book'
const chosen = '?service=a&service=b&staff=any&start=2026-11-24T09%3A00%3A00.000Z'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
})

describe('the address to come back to', () => {
  it('is that of the booking with its hold, and the contract takes it', () => {
    const address = returnAddress(page, chosen, 'h1') ?? ''
    const back = new URL(address, 'https://soigne.test')
    expect(back.pathname).toBe(page)
    expect(back.searchParams.getAll('service')).toEqual(['a', 'b'])
    expect(back.searchParams.get('hold')).toBe('h1')
    expect(returnPath.safeParse(address).success).toBe(true)
  })

  it('forgets the payment before, and names one hold only', () => {
    const back = new URLSearchParams(returnAddress(page, `${chosen}&payment=old&hold=h0`, 'h1')?.split('?')[1])
    expect(back.has('payment')).toBe(false)
    expect(back.getAll('hold')).toEqual(['h1'])
  })

  it('is left out where the contract would not take it', () => {
    const long = returnAddress(page, `?what=${'x'.repeat(1000)}`, 'h1')
    expect(long).toBeUndefined()
    const longest = returnAddress(page, `?what=${'x'.repeat(1000 - `${page}?what=&hold=h1`.length)}`, 'h1') ?? ''
    expect(longest).toHaveLength(1000)
    expect(returnPath.safeParse(longest).success).toBe(true)
  })
})

describe('leaving for the provider', () => {
  const leave = (returnTo: string | undefined, note: string) => {
    const went = vi.spyOn(location, 'assign').mockImplementation(() => {})
    leaveForProvider('https://pay.test/1', returnTo, { holdId: 'h1', note })
    return went
  }

  it('goes to its page, and leaves the way back where the browser finds it', () => {
    const went = leave(`${page}?hold=h1`, '')
    expect(went).toHaveBeenCalledExactlyOnceWith('https://pay.test/1')
    expect(`${location.pathname}${location.search}`).toBe(`${page}?hold=h1`)
  })

  it('leaves the address alone where none could be sent', () => {
    history.replaceState(null, '', page)
    leave(undefined, '')
    expect(location.pathname).toBe(page)
  })

  it('keeps the note for that hold and no other', () => {
    leave(undefined, 'The quiet chair, please.')
    expect(noteOfHold('h1')).toBe('The quiet chair, please.')
    expect(noteOfHold('h2')).toBe('')
  })

  it('goes all the same where the browser keeps nothing', () => {
    const refuse = (): never => {
      throw new DOMException('not here', 'SecurityError')
    }
    vi.stubGlobal('sessionStorage', { setItem: refuse, getItem: refuse, clear: () => {} })
    expect(leave(undefined, 'Lost')).toHaveBeenCalledOnce()
    expect(noteOfHold('h1')).toBe('')
  })

  it('reads nothing out of what others left under that name', () => {
    for (const kept of ['{', '[]', '{"holdId":"h1","note":7}', 'null']) {
      sessionStorage.setItem('noteOfHold', kept)
      expect(noteOfHold('h1'), kept).toBe('')
    }
  })
})
