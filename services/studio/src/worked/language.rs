//! Lessons of English and Japanese.

use super::Worked;
use crate::figure::{boxes, table};

pub(super) const SUBJECT_FIRST: [Worked; 2] = [
    Worked {
        heading: "図で見る",
        asked: "日本語と英語では、語順がどうちがう？",
        steps: &[
            "「だれが」を先頭に置きます。",
            "そのすぐあとに「どうする」が来ます。",
            "「何を」は動詞のあとに置きます。",
            "日本語と比べて、動く言葉を確かめます。",
        ],
        figure: || {
            boxes(&[
                &[("わたしは", "だれが"), ("牛乳を", "何を"), ("飲みます", "どうする")],
                &[("I", "だれが"), ("drink", "どうする"), ("milk", "何を")],
            ])
        },
    },
    Worked {
        heading: "例題",
        asked: "「ケンはサッカーをします。」を英語にしましょう。",
        steps: &[
            "だれが：ケンは → Ken",
            "どうする：します → plays",
            "何を：サッカーを → soccer",
            "答え：Ken plays soccer. 主語は Ken です。",
        ],
        figure: || {
            table(&[
                &["だれが", "どうする", "何を"],
                &["Ken", "plays", "soccer"],
                &["I", "like", "music"],
                &["My sister", "reads", "books"],
            ])
        },
    },
];

pub(super) const POINTING_WORDS: [Worked; 2] = [
    Worked {
        heading: "図で見る",
        asked: "「そこ」は、前の文のどこを指す？",
        steps: &[
            "「そこ」に線を引きます。",
            "すぐ前の文から、場所の言葉をさがす。",
            "「そこ」に入れて、読み直します。",
            "意味が通れば、それが答えです。",
        ],
        figure: || {
            boxes(&[
                &[("丘の上に古い図書館がある。", "前の文")],
                &[("そこからは海が見える。", "指す言葉のある文")],
                &[("古い図書館からは海が見える。", "置きかえる")],
            ])
        },
    },
    Worked {
        heading: "例題",
        asked: "「妹は毎晩日記を書く。それが楽しみだ。」の「それ」とは？",
        steps: &[
            "前の文を見ます：妹は毎晩日記を書く。",
            "「〜こと」の形に直します。",
            "「毎晩日記を書くことが楽しみだ」と読む。",
            "答え：毎晩日記を書くこと",
        ],
        figure: || {
            table(&[
                &["言葉", "指すもの"],
                &["これ・それ・あれ", "もの、こと"],
                &["ここ・そこ・あそこ", "場所"],
                &["こちら・そちら", "方向"],
                &["この・その・あの", "後の言葉とともに"],
            ])
        },
    },
];

pub(super) const BONES: [Worked; 2] = [
    Worked {
        heading: "図で見る",
        asked: "並べかえは、どこから組み立てる？",
        steps: &[
            "まず、主語と動詞を決めます。",
            "次に、動詞のあとの「何を」を置きます。",
            "最後に、時や場所をうしろにつけます。",
            "骨組みができれば、残りは迷いません。",
        ],
        figure: || {
            boxes(&[
                &[("My brother", "主語"), ("studies", "動詞")],
                &[("My brother studies", "骨組み"), ("English", "何を")],
                &[("My brother studies English", "文"), ("every day", "時")],
            ])
        },
    },
    Worked {
        heading: "例題",
        asked: "[ in / my / lives / uncle / Kyoto ] を並べかえましょう。",
        steps: &[
            "動詞をさがす：lives",
            "だれが住む？ → my uncle",
            "どこに？ → in Kyoto",
            "答え：My uncle lives in Kyoto.",
        ],
        figure: || {
            table(&[
                &["もとの形", "三人称・単数"],
                &["live", "lives"],
                &["teach", "teaches"],
                &["carry", "carries"],
                &["have", "has"],
            ])
        },
    },
];

pub(super) const BRACKETS: [Worked; 2] = [
    Worked {
        heading: "図で見る",
        asked: "文の中心になる主語と動詞は、どれ？",
        steps: &[
            "前置詞から名詞までを、かっこに入れます。",
            "時や場所を表す副詞も、かっこへ。",
            "残った語が、文の骨組みです。",
            "The girl が主語、sings が動詞。",
        ],
        figure: || {
            boxes(&[
                &[("The girl (in a white dress) sings (well).", "かっこに入れる")],
                &[("The girl", "主語"), ("sings", "動詞")],
            ])
        },
    },
    Worked {
        heading: "例題",
        asked: "On Sundays, the man next door washes his car. の骨組みは？",
        steps: &[
            "(On Sundays) は時。かっこに入れます。",
            "(next door) は man の説明。かっこへ。",
            "残りは the man washes his car です。",
            "答え：主語 the man、動詞 washes",
        ],
        figure: || {
            table(&[
                &["かっこに入れるもの", "例"],
                &["前置詞＋名詞", "in the park"],
                &["時の副詞", "yesterday"],
                &["頻度の副詞", "often"],
                &["ようすの副詞", "very fast"],
            ])
        },
    },
];

pub(super) const OLD_SPELLING: [Worked; 2] = [
    Worked {
        heading: "表で見る",
        asked: "歴史的仮名遣いには、どんなきまりがある？",
        steps: &[
            "語の先頭でない「は行」は「わ行」に。",
            "「ゐ・ゑ・を」は「い・え・お」に。",
            "母音が au と続けば ō とのばします。",
            "声に出して、音で確かめます。",
        ],
        figure: || {
            table(&[
                &["書き方", "読み方", "例"],
                &["はひふへほ", "わいうえお", "かほ→かお"],
                &["ゐ・ゑ・を", "い・え・お", "ゐる→いる"],
                &["あう（au）", "おう（ō）", "やうす→ようす"],
                &["ぢ・づ", "じ・ず", "みづ→みず"],
            ])
        },
    },
    Worked {
        heading: "例題",
        asked: "「あはれ」「てふ」を現代仮名遣いに直しましょう。",
        steps: &[
            "「あはれ」の「は」は先頭でないので「わ」。",
            "だから「あわれ」と読みます。",
            "「てふ」は「てう」。eu は yō とのばす。",
            "答え：あわれ、ちょう",
        ],
        figure: || {
            boxes(&[
                &[("てふ", "もとの形")],
                &[("てう（teu）", "は行をわ行に")],
                &[("ちょう（chō）", "母音をのばす")],
            ])
        },
    },
];
