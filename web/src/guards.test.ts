import { describe, expect, it } from 'vitest'
import type { Session } from '#/platform/session.tsx'
import { client, owner, professional, unverified } from '#/testing/people.ts'
import { routeAt } from '#/testing/site-pages.ts'
import { accessOf, decide, type Decision } from './guards.ts'

const guest: Session = { kind: 'guest' }
const loading: Session = { kind: 'loading' }

function as(user: typeof client): Session {
  return { kind: 'user', user }
}

function at(place: string, session: Session, memory: { skips?: boolean; pendingRedirect?: string } = {}): Decision {
  const { pathname } = new URL(place, 'http://soigne.test')
  const route = routeAt(pathname)
  return decide({ route, place, skipsRegistration: memory.skips ?? false, pendingRedirect: memory.pendingRedirect ?? null }, session)
}

const stay = { kind: 'stay' }
const gate = { kind: 'gate' }
const to = (address: string) => ({ kind: 'redirect', to: address })

const publicPaths = [
  '/terms',
  '/reviews-policy',
  '/contact',
  '/icons',
  '/institutes',
  '/institutes?what=gel',
  '/salon/atelier-nacre',
  '/salon/atelier-nacre/book',
]
const loginPaths = ['/appointment/list', '/appointment/0190', '/mysalon', '/institute-register', '/give-access']
const guestPaths = ['/login', '/register', '/reset-password']

describe('the table of guards', () => {
  it('[R-02] [R-03] [R-04] [R-07] [R-08] leaves public pages open to everybody', () => {
    for (const path of publicPaths) {
      for (const session of [guest, loading, as(client), as(unverified(professional)), as(owner)])
        expect(at(path, session), path).toEqual(stay)
    }
  })

  it('[R-01] leaves home open to a guest and to a confirmed client', () => {
    expect(at('/', guest)).toEqual(stay)
    expect(at('/', as(client))).toEqual(stay)
    expect(at('/', loading)).toEqual(stay)
  })

  it('[R-05] leaves the account pages open to a guest', () => {
    for (const path of guestPaths) expect(at(path, guest)).toEqual(stay)
  })

  it('[R-06] sends a signed-in person from the account pages to their salon, else home', () => {
    for (const path of guestPaths) {
      expect(at(path, as(owner))).toEqual(to('/mysalon'))
      expect(at(path, as(client))).toEqual(to('/'))
    }
  })

  it('[R-10] [R-11] [R-13] [R-18] sends a guest to login with the path, query and hash they asked for', () => {
    for (const path of loginPaths) expect(at(path, guest)).toEqual(to(`/login?${new URLSearchParams({ from: path })}`))
    expect(at('/appointment/list?when=past#today', guest)).toEqual(to('/login?from=%2Fappointment%2Flist%3Fwhen%3Dpast%23today'))
  })

  it('[R-19] shows Email Confirmation on every page but the public ones', () => {
    for (const path of ['/', ...loginPaths, ...guestPaths]) expect(at(path, as(unverified(client))), path).toEqual(gate)
    expect(at('/mysalon', as(unverified(owner)))).toEqual(gate)
  })

  it('[R-20] sends a professional without an institute to the setup, unless they skip it', () => {
    for (const path of ['/', '/mysalon', '/appointment/list']) {
      expect(at(path, as(professional))).toEqual(to('/institute-register'))
      expect(at(path, as(professional), { skips: true })).toEqual(stay)
    }
    expect(at('/institute-register', as(professional))).toEqual(stay)
    expect(at('/terms', as(professional))).toEqual(stay)
  })

  it('[R-21] sends the owner of an institute from the setup home', () => {
    expect(at('/institute-register', as(owner))).toEqual(to('/'))
    expect(at('/mysalon', as(owner))).toEqual(stay)
  })

  it('[N-10] sends a client from the pages of professionals home', () => {
    expect(at('/mysalon', as(client))).toEqual(to('/'))
    expect(at('/institute-register', as(client))).toEqual(to('/'))
    // Their account was made for booking, and somebody added them to a team since.
    const added = as({ ...client, institute: { _id: 'i', slug: 'dar-zellige', name: 'Dar Zellige' } })
    expect(at('/mysalon', added)).toEqual(stay)
    expect(at('/institute-register', added)).toEqual(to('/'))
    expect(at('/appointment/list', added)).toEqual(stay)
  })

  it('[R-22] brings a sign-in where it was started from before the rule of the guest-only pages', () => {
    expect(at('/login?from=%2Fappointment%2Flist', as(client), { pendingRedirect: '/appointment/list' })).toEqual(to('/appointment/list'))
    expect(at('/register', as(unverified(professional)), { pendingRedirect: '/mysalon' })).toEqual(to('/mysalon'))
  })

  it('brings a sign-out from a page that needed it where it was sent', () => {
    expect(at('/appointment/list', guest, { pendingRedirect: '/' })).toEqual(to('/'))
  })

  it('waits with a page that needs to know who is there', () => {
    for (const path of loginPaths) {
      expect(at(path, { kind: 'unread' })).toEqual({ kind: 'wait' })
      expect(at(path, loading)).toEqual({ kind: 'wait' })
    }
    for (const path of guestPaths) expect(at(path, loading)).toEqual({ kind: 'wait' })
  })

  it('tells pages apart however their address is written', () => {
    expect(accessOf(routeAt('/salon/a/book'))).toBe('public')
    expect(accessOf(routeAt('/APPOINTMENT/list/'))).toBe('login')
    expect(accessOf(routeAt('/my%73alon'))).toBe('login')
    expect(accessOf(routeAt('/'))).toBe('everyone')
    expect(accessOf(routeAt('/nowhere'))).toBe('public')
  })
})
