/** A telephone number as it is typed or copied, in plain digits: read before it is sent as well. */

/** Digits of Arabic keyboards, marks that address books put around a number, and other spaces, dashes and slashes, as one writes them here. */
export const plainPhone = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\s/]/g, ' ')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
