// Institutes and services whose words answer, in one statement that reads no more of them than the best known.
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { anyOf } from '#/features/search/service.ts'
import { c, known, statement } from '#/platform/statement.ts'

const texts = z.record(z.string(), z.string())
const answeringRow = {
  /** Names in all languages, those of most institutes first. */
  services: known(c.json(z.array(texts))),
  institutes: known(c.json(z.array(z.object({ slug: z.string(), name: z.string(), city: z.string() })))),
}

/** Menus looked at: of a word that is on thousands those of the best institutes tell enough. */
const mostMenus = 300
const mostNames = 60
const mostInstitutes = 8

const everyWord = (words: readonly (readonly string[])[], weight: string): string =>
  words.map((lexemes) => `(${anyOf(lexemes, weight)})`).join(' & ')

/** What answers every word by its name, with the menus read one by one, so that those of all the others cost nothing; a word is what it may stand for, as texts of a tsquery. */
export const answering = statement(
  { name: 'suggestions.answering', row: answeringRow, tries: [[["'gel':*"]]] },
  (words: readonly (readonly string[])[]) => {
    const [asName, onMenu] = [everyWord(words, 'A'), everyWord(words, 'B')]
    return sql`
    select coalesce((select json_agg(n.name order by n.institutes desc, n.name->>'en') from (
        select v.name, count(distinct i.id) as institutes
        from (select id from institutes where state = 'published' and words @@ ${onMenu}::tsquery order by standing desc, id limit ${mostMenus}) i
          cross join lateral (select service_id from bookable_services b where b.institute_id = i.id and b.price_amount is not null and b.words @@ ${asName}::tsquery offset 0) s
          join services v on v.id = s.service_id
        group by v.name order by institutes desc, v.name->>'en' limit ${mostNames}) n), '[]') as services,
      coalesce((select json_agg(json_build_object('slug', slug, 'name', name, 'city', city) order by standing desc, id) from (
        select slug, name, city, standing, id from institutes where state = 'published' and words @@ ${asName}::tsquery
        order by standing desc, id limit ${mostInstitutes}) i), '[]') as institutes`
  },
)
