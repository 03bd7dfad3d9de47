// How models/tiny.gguf was trained: what its file cannot say. Another run is written here, and nowhere else.

/** The trainer's options, where they are not its defaults, and what they come to. */
export const run = {
  options: "--steps 5000 --ctx 1024 --dropout 0.15 --weight-decay 0.3 --decay 0.7",
  nSteps: 5000,
  tokensAStep: 8192,
};

const lang = (colour) => ({ title: `The ${colour} Fairy Book`, by: "edited by Andrew Lang" });
const baum = (title) => ({ title, by: "L. Frank Baum" });
const nesbit = (title) => ({ title, by: "Edith Nesbit" });

/** The books that it was trained on: all in the public domain in the United States, as Project Gutenberg has them. */
export const trainedOn = [
  { title: "Alice's Adventures in Wonderland", by: "Lewis Carroll" },
  { title: "Andersen's Fairy Tales", by: "Hans Christian Andersen" },
  nesbit("Five Children and It"),
  { title: "Grimms' Fairy Tales", by: "Jacob and Wilhelm Grimm" },
  baum("Ozma of Oz"),
  ...["Blue", "Brown", "Crimson"].map(lang),
  baum("The Emerald City of Oz"),
  lang("Green"),
  { title: "The Jungle Book", by: "Rudyard Kipling" },
  baum("The Marvelous Land of Oz"),
  lang("Orange"),
  nesbit("The Phoenix and the Carpet"),
  nesbit("The Railway Children"),
  lang("Red"),
  { title: "The Secret Garden", by: "Frances Hodgson Burnett" },
  lang("Violet"),
  { title: "The Wind in the Willows", by: "Kenneth Grahame" },
  baum("The Wonderful Wizard of Oz"),
  lang("Yellow"),
];

/** The texts that it never saw, by the names of their files: what its loss is measured on. */
export const measuredOn = {
  "english-fairy-tales-7439": { title: "English Fairy Tales", by: "collected by Joseph Jacobs" },
  "just-so-stories-2781": { title: "Just So Stories", by: "Rudyard Kipling" },
};
