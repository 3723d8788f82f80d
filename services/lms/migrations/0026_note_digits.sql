-- forms::search writes the kanji of a digit as the digit.
UPDATE note
SET words = translate(words, '〇一二三四五六七八九', '0123456789')
WHERE words ~ '[〇一二三四五六七八九]';
