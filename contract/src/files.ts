/** Addresses of files that people have sent. */

/** A kept picture or private file, with what its address may carry. */
const keptPicture = /^(\/files\/[a-z]+\/[0-9a-f]{32})(\.webp(?:\?.*)?)$/

/**
 * The address of a smaller picture, for places that show it small: 96 and 320 pixels of the longest side are made of every picture, larger
 * ones have 640 too. A size that was not made is answered with the picture itself. Other addresses (drawn pictures) stay as they are.
 */
export const pictureOfSize = (url: string, size: 96 | 320 | 640): string => url.replace(keptPicture, `$1-${size}$2`)
