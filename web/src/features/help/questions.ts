// The questions of the Help Center and finding them by a word.

export type Question = { id: string; question: string; answers: readonly string[] }
export type Group = { id: string; title: string; text: string; questions: readonly Question[] }

function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** The groups with the questions that contain every word, without regard to case or accents. */
export function matchingGroups(groups: readonly Group[], text: string): Group[] {
  const words = folded(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...groups]
  return groups.flatMap((group) => {
    const questions = group.questions.filter(({ question, answers }) => {
      const whole = folded([group.title, question, ...answers].join(' '))
      return words.every((word) => whole.includes(word))
    })
    return questions.length > 0 ? [{ ...group, questions }] : []
  })
}
