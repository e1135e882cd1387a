/** The product's name; it appears nowhere else as text. */
export const brand = 'Soigné'

/** Where people write to us. */
export const supportEmail = 'help@soigne.example'
