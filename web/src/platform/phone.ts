/** The address that rings a number, however it is written. */
export const telAddress = (phone: string): string => `tel:${phone.replaceAll(/[^+\d]/g, '')}`
