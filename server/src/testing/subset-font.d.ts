declare module 'subset-font' {
  /** Keeps the letters of a text, and pins variation axes. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: { targetFormat: 'truetype'; variationAxes: Record<string, number> },
  ): Promise<Uint8Array>
}
