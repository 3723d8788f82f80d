/// E-mail addresses and their canonical mailboxes (`crate::mailbox`).
pub const MAILBOXES: [(&str, &str); 22] = [
    ("hanako@demo.example", "hanako@demo.example"),
    ("Hanako@Demo.Example", "hanako@demo.example"),
    ("hanako+mother@demo.example", "hanako@demo.example"),
    ("HANAKO+Mother@demo.example", "hanako@demo.example"),
    ("hanako+a+b@demo.example", "hanako@demo.example"),
    ("hanako+@demo.example", "hanako@demo.example"),
    // Only Gmail ignores dots.
    ("ha.na.ko@demo.example", "ha.na.ko@demo.example"),
    ("ha..nako.@docomo.ne.jp", "ha..nako.@docomo.ne.jp"),
    ("ha.nako@gmail.com.example", "ha.nako@gmail.com.example"),
    ("ha.nako@notgmail.com", "ha.nako@notgmail.com"),
    ("ha.nako@mail.gmail.com", "ha.nako@mail.gmail.com"),
    ("ha.na.ko@gmail.com", "hanako@gmail.com"),
    ("Ha.Nako+school@GMAIL.com", "hanako@gmail.com"),
    ("hanako@googlemail.com", "hanako@gmail.com"),
    ("h.a.n.a.k.o+x.y@GoogleMail.com", "hanako@gmail.com"),
    // A tag contains no domain, and a local part that is only a tag stays.
    ("hanako+x=gmail.com@demo.example", "hanako@demo.example"),
    ("+hanako@demo.example", "+hanako@demo.example"),
    ("+@demo.example", "+@demo.example"),
    ("+ha.nako@gmail.com", "+hanako@gmail.com"),
    // The tags of other providers cannot be told from a part of the name.
    ("hanako-mother@yahoo.co.jp", "hanako-mother@yahoo.co.jp"),
    ("o'brien_{1}@demo.example", "o'brien_{1}@demo.example"),
    ("hanako", "hanako"),
];
