/** A plot of figures against the number of institutes, both on scales of powers of ten, as SVG. */

export interface Line {
  name: string
  points: readonly { x: number; y: number }[]
}

const width = 860
const height = 460
const left = 70
const right = 230
const top = 50
const bottom = 50
const colours = ['#8c2f5b', '#2f6f8c', '#b5751c', '#4d7c2f', '#5b4a9c', '#a33b2a', '#1f8a7a', '#6b6259']

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const worded = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
const short = (value: number): string => (value >= 1000 ? `${(value / 1000).toLocaleString('en')} k` : String(value))

export function plotOf(title: string, unit: string, lines: readonly Line[]): string {
  const all = lines.flatMap(({ points }) => points).filter(({ x, y }) => x > 0 && y > 0)
  const xs = [...new Set(all.map(({ x }) => x))].sort((a, b) => a - b)
  const lowest = Math.floor(Math.log10(Math.min(...all.map(({ y }) => y))))
  const highest = Math.ceil(Math.log10(Math.max(...all.map(({ y }) => y))))
  const from = Math.log10(xs[0] ?? 1)
  const span = Math.max(0.001, Math.log10(xs.at(-1) ?? 10) - from)
  const atX = (x: number): number => left + ((Math.log10(x) - from) / span) * (width - left - right)
  const atY = (y: number): number => height - bottom - ((Math.log10(y) - lowest) / Math.max(1, highest - lowest)) * (height - top - bottom)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<rect width="${width}" height="${height}" fill="#fffdf8"/>`,
    `<text x="${left}" y="26" font-size="16" font-weight="600">${escaped(title)}</text>`,
  ]
  for (let power = lowest; power <= highest; power++) {
    const y = atY(10 ** power)
    parts.push(`<line x1="${left}" x2="${width - right}" y1="${y}" y2="${y}" stroke="#e4dccf"/>`)
    parts.push(`<text x="${left - 8}" y="${y + 4}" text-anchor="end" fill="#5a5048">${10 ** power} ${escaped(unit)}</text>`)
  }
  for (const x of xs) {
    parts.push(`<line x1="${atX(x)}" x2="${atX(x)}" y1="${top}" y2="${height - bottom}" stroke="#efe8dc"/>`)
    parts.push(`<text x="${atX(x)}" y="${height - bottom + 20}" text-anchor="middle" fill="#5a5048">${short(x)}</text>`)
  }
  parts.push(`<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle" fill="#5a5048">institutes</text>`)
  // Names stand beside the ends of their lines, moved apart where these meet.
  let lastLabel = Number.NEGATIVE_INFINITY
  const byEnd = lines.map((line, n) => ({ line, colour: colours[n % colours.length], end: atY(line.points.at(-1)?.y ?? 1) }))
  for (const { line, colour, end } of byEnd.sort((a, b) => a.end - b.end)) {
    const drawn = line.points.map(({ x, y }) => `${atX(x).toFixed(1)},${atY(y).toFixed(1)}`)
    parts.push(`<polyline points="${drawn.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`)
    for (const point of drawn) parts.push(`<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3.5" fill="${colour}"/>`)
    lastLabel = Math.max(end, lastLabel + 16)
    parts.push(
      `<text x="${width - right + 10}" y="${lastLabel + 4}" fill="${colour}">${escaped(line.name)} ${worded(line.points.at(-1)?.y ?? 0)} ${escaped(unit)}</text>`,
    )
  }
  return `${parts.join('\n')}\n</svg>\n`
}
