/** The product's name; it appears nowhere else as text. */
export const brand = "Soigné";
