declare module 'subset-font' {
  /** Keeps the letters of a text, and pins or narrows variation axes. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: { targetFormat: 'woff2'; variationAxes: Record<string, number | { min: number; max: number }> },
  ): Promise<Uint8Array>
}
