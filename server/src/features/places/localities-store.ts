/** Quarters and postcodes, as they stand in the addresses of published institutes. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { c, known, orNull, type RowOf, statement } from '#/platform/statement.ts'

const localityRow = {
  /** As most of its institutes write it. */
  name: known(c.text),
  nameAr: orNull(c.text),
  town: c.text,
  /** The town's names in other languages, where the gazetteer has it. */
  townNames: orNull(c.json(z.object({ fr: z.nullable(z.string()), ar: z.nullable(z.string()) }))),
  countryCode: c.text,
  /** The middle of its institutes. */
  lat: known(c.float),
  lon: known(c.float),
  timeZone: known(c.text),
  institutes: known(c.int),
  isExact: known(c.bool),
  /** 0…1; 1 when the name has a word that begins with the text. */
  likeness: known(c.float),
}

export type Locality = RowOf<typeof localityRow>

/** A name that may be of a quarter, with the beginning of its town's name where one was given. */
export interface LocalityAsked {
  name: string
  town: string | null
}
export interface LocalitiesAsked {
  asked: readonly LocalityAsked[]
  countryCode: string | null
  limit: number
}
const tried: LocalitiesAsked = { asked: [{ name: 'croix', town: 'lyon' }], countryCode: 'FR', limit: 1 }

/** More institutes than any quarter has are not counted. */
const mostLooked = 3000
const names = sql`(' ' || fold_name(i.quarter) || ' ' || coalesce(fold_name(i.quarter_ar), ''))`
const inCountry = (countryCode: string | null) => sql`(${countryCode}::text is null or i.country_code = ${countryCode})`
const askedTable = (asked: readonly LocalityAsked[]) =>
  sql`(select fold_name(name) as name, fold_name(town) as town from unnest(${asked.map(({ name }) => name)}::text[], ${asked.map(({ town }) => town)}::text[]) as typed (name, town)) asked`
// A town is known by its names in other languages too: Bruxelles is Brussels.
const inTown = sql`(asked.town is null or fold_name(i.city) like asked.town || '%' or exists (select from places p
  where p.country_code = i.country_code and p.search like '%|' || asked.town || '|%' and p.search like '%|' || fold_name(i.city) || '|%'))`
const townNames = sql`(select json_build_object('fr', p.name_fr, 'ar', p.name_ar) from places p
  where p.country_code = found.country_code and p.search like '%|' || fold_name(found.city) || '|%' order by p.population desc limit 1) as "townNames"`

/** Quarters with a word that begins with the name, with and without the Arabic article, most institutes first. */
export const quartersBeginningWith = statement(
  { name: 'places.quartersBeginningWith', row: localityRow, tries: [tried] },
  ({ asked, countryCode, limit }: LocalitiesAsked) => sql`
    select mode() within group (order by quarter) as name, max(quarter_ar) as "nameAr", city as town, ${townNames}, country_code as "countryCode", avg(lat) as lat, avg(lon) as lon,
      min(time_zone) as "timeZone", count(*)::int as institutes, bool_or(exact) as "isExact", 1::float8 as likeness
    from (select i.*, (asked.name in (fold_name(i.quarter), fold_name(i.quarter_ar)) or fold_name(i.quarter) ~ ('^(le|la|les|l|the|el|al) ' || asked.name || '$')) is true as exact
      from ${askedTable(asked)} join institutes i on ${names} like '% ' || asked.name || '%' or ${names} like '% ال' || asked.name || '%'
      where asked.name <> '' and i.state = 'published' and i.quarter is not null and ${inTown} and ${inCountry(countryCode)} limit ${mostLooked}) found
    group by fold_name(quarter), city, country_code order by bool_or(exact) desc, institutes desc, name limit ${limit}`,
)

/** Quarters whose name resembles the text (word similarity of at least 0.6), most alike first. */
export const quartersResembling = statement(
  { name: 'places.quartersResembling', row: localityRow, tries: [tried] },
  ({ asked, countryCode, limit }: LocalitiesAsked) => sql`
    select mode() within group (order by quarter) as name, max(quarter_ar) as "nameAr", city as town, ${townNames}, country_code as "countryCode", avg(lat) as lat, avg(lon) as lon,
      min(time_zone) as "timeZone", count(*)::int as institutes, false as "isExact", max(likeness)::float8 as likeness
    from (select i.*, word_similarity(asked.name, ${names}) as likeness from ${askedTable(asked)} join institutes i on asked.name <% ${names}
      where i.state = 'published' and i.quarter is not null and ${inTown} and ${inCountry(countryCode)} limit ${mostLooked}) found
    group by fold_name(quarter), city, country_code order by likeness desc, institutes desc, name limit ${limit}`,
)

/** Postcodes that begin with the text, in the towns that have them. */
export const postcodesBeginningWith = statement(
  { name: 'places.postcodesBeginningWith', row: localityRow, tries: [tried] },
  ({ asked, countryCode, limit }: LocalitiesAsked) => sql`
    select mode() within group (order by postal_code) as name, null::text as "nameAr", city as town, ${townNames}, country_code as "countryCode", avg(lat) as lat, avg(lon) as lon,
      min(time_zone) as "timeZone", count(*)::int as institutes, bool_or(exact) as "isExact", 1::float8 as likeness
    from (select i.*, fold_postcode(i.postal_code) = asked.code as exact
      from (select fold_postcode(name) as code, fold_name(town) as town from unnest(${asked.map(({ name }) => name)}::text[], ${asked.map(({ town }) => town)}::text[]) as typed (name, town)) asked
        join institutes i on fold_postcode(i.postal_code) like asked.code || '%'
      where asked.code <> '' and i.state = 'published' and i.postal_code is not null and ${inTown} and ${inCountry(countryCode)} limit ${mostLooked}) found
    group by fold_postcode(postal_code), city, country_code order by bool_or(exact) desc, institutes desc, name limit ${limit}`,
)
