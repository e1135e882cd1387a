// The way to whoever takes the money and back: the address to come back to, and the note that was typed.

const key = 'noteOfHold'
/** As long as the contract lets an address be. */
const longest = 1000

/** This booking with its hold, as the provider leads back to it; nothing where it is too long to be sent. */
export function returnAddress(pathname: string, search: string, holdId: string): string | undefined {
  const params = new URLSearchParams(search)
  params.delete('payment')
  params.set('hold', holdId)
  const address = `${pathname}?${params}`
  return address.length > longest ? undefined : address
}

/** The browser's way back finds the hold in the address, and the note where it was typed. */
export function leaveForProvider(url: string, returnTo: string | undefined, { holdId, note }: { holdId: string; note: string }): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ holdId, note }))
  } catch {
    // The note went with the booking; it is only not shown again.
  }
  if (returnTo !== undefined) history.replaceState(history.state, '', returnTo)
  location.assign(url)
}

/** The note that was typed for a hold before its payment. */
export function noteOfHold(holdId: string): string {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as { holdId?: unknown; note?: unknown } | null
    return kept?.holdId === holdId && typeof kept.note === 'string' ? kept.note : ''
  } catch {
    return ''
  }
}
