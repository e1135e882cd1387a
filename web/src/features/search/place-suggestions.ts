// Places for what is typed: from Google's library when the visitor chose Google, else from our gazetteer, which also
// answers for Google whenever that refuses.
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { api } from '#/platform/api.ts'
import { useGoogleChoice } from '#/platform/google-choice.ts'
import { placeText } from '#/platform/lists.ts'
import { useGoogleMaps, type PlacePrediction, type PlacesLibrary } from '#/platform/google-maps.ts'

type Point = { lat: number; lon: number }

export type PlaceSuggestion = {
  key: string
  name: string
  /** Region and country, to tell places of one name apart. */
  detail: string
  /** Google tells the point only of the place that was chosen. Null: search by the name instead. */
  find: () => Promise<Point | null>
  source: 'google' | 'gazetteer'
}

const most = 6

async function fromGazetteer(query: string, locale: string, signal: AbortSignal): Promise<PlaceSuggestion[]> {
  const { items } = await api.places({ query: { q: query, limit: most } }, { signal })
  return items.map(({ _id: key, kind, name, region, country, lat, lon }) => {
    const isTown = kind === 'town'
    return {
      key,
      name: isTown ? name : placeText({ name, region }, locale),
      detail: placeText(isTown ? { region, country } : { country }, locale),
      // A quarter or a postcode is searched by its name, so that it is searched as close around as people mean.
      find: async () => (isTown ? { lat, lon } : null),
      source: 'gazetteer',
    }
  })
}

type Google = { places: PlacesLibrary; language: string }

/** What is typed until a place is chosen is one session, which Google counts as one request. */
class GoogleSession {
  private token: object | null = null

  async suggest(query: string, { places, language }: Google): Promise<PlaceSuggestion[]> {
    this.token ??= new places.AutocompleteSessionToken()
    const { suggestions } = await places.AutocompleteSuggestion.fetchAutocompleteSuggestions({
      input: query,
      includedPrimaryTypes: ['(regions)'],
      language,
      sessionToken: this.token,
    })
    return suggestions
      .flatMap(({ placePrediction }) => placePrediction ?? [])
      .slice(0, most)
      .map((prediction) => ({
        key: prediction.placeId,
        name: (prediction.mainText ?? prediction.text).text,
        detail: prediction.secondaryText?.text ?? '',
        find: () => this.find(prediction),
        source: 'google',
      }))
  }

  private async find(prediction: PlacePrediction): Promise<Point | null> {
    this.token = null
    try {
      const place = prediction.toPlace()
      await place.fetchFields({ fields: ['location'] })
      return place.location ? { lat: place.location.lat(), lon: place.location.lng() } : null
    } catch {
      return null
    }
  }
}

function usePlaceSource(wanted: boolean) {
  const { i18n } = useTranslation()
  const { key } = useGoogleChoice()
  const { maps } = useGoogleMaps(wanted ? key : null, i18n.language)
  const [session] = useState(() => new GoogleSession())
  const refused = useRef(false)
  const google = useRef<Google | null>(null)
  const places = maps?.places ?? null
  useEffect(() => {
    google.current = places && { places, language: i18n.language }
  }, [places, i18n.language])
  return useCallback(
    async (query: string, signal: AbortSignal): Promise<PlaceSuggestion[]> => {
      if (google.current && !refused.current) {
        try {
          return await session.suggest(query, google.current)
        } catch {
          // A refused key or a spent quota will not answer the next letter either.
          refused.current = true
        }
      }
      return fromGazetteer(query, i18n.language, signal)
    },
    [session, i18n.language],
  )
}

/** Places for the text so far, asked for after a short rest. */
export function usePlaceSuggestions(text: string, wanted: boolean): { items: readonly PlaceSuggestion[]; loading: boolean } {
  const [answer, setAnswer] = useState<{ text: string; items: readonly PlaceSuggestion[] }>({ text: '', items: [] })
  const suggest = usePlaceSource(wanted)
  const query = text.trim()
  useEffect(() => {
    if (!wanted || query === '') return
    const asking = new AbortController()
    const tell = (items: readonly PlaceSuggestion[]) => {
      if (!asking.signal.aborted) setAnswer({ text: query, items })
    }
    const timer = setTimeout(() => {
      suggest(query, asking.signal).then(
        tell,
        // A suggestion that does not come is no reason to disturb: what is typed stays valid.
        () => tell([]),
      )
    }, 120)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [query, wanted, suggest])
  return { items: query === '' ? [] : answer.items, loading: wanted && query !== '' && answer.text !== query }
}
