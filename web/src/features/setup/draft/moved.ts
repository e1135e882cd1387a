/** The list with one of it so many places further, as far as there is room. */
export function moved<Item>(list: readonly Item[], isIt: (item: Item) => boolean, by: number): Item[] {
  const from = list.findIndex(isIt)
  const item = list[from]
  if (item === undefined) return [...list]
  const rest = list.filter((_, at) => at !== from)
  return rest.toSpliced(Math.min(rest.length, Math.max(0, from + by)), 0, item)
}
