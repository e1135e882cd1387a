import { describe, expect, it } from 'vitest'
import help from '#/locales/en/help.json'
import { matchingGroups } from './questions.ts'

const ids = (text: string) => matchingGroups(help.groups, text).flatMap(({ questions }) => questions.map(({ id }) => id))

describe('the Help Center', () => {
  it('finds answers that hold every word, without regard to case and accents', () => {
    expect(ids('PASSWORD')).toContain('forgot')
    expect(ids('rátíng recommended')).toEqual(['recommended'])
    expect(ids('xylophone')).toEqual([])
  })

  it('shows everything when nothing is asked', () => {
    expect(matchingGroups(help.groups, '  ').length).toBe(help.groups.length)
  })

  it('gives each topic and question an address of its own', () => {
    const all = help.groups.flatMap(({ id, questions }) => [id, ...questions.map((question) => question.id)])
    expect(new Set(all).size).toBe(all.length)
    expect(all).toContain('ranking')
  })
})
