"""Every sound that can be synthesised, as plain data: the list that event banks may rely on.

An event id is ``namespace/name`` as in CARES: the namespace is one of the 13 locations, ``shared`` (several
locations), ``general`` (anywhere) or ``rare_events`` (seldom and striking). Vocal events are never placed by
a bank and have the namespace ``vocal``; their names are tags of the WESR taxonomy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["take", "ambience", "vocal"]

LOCATIONS: tuple[str, ...] = (
    "home_indoor",
    "cafe_restaurant",
    "street_traffic",
    "public_park",
    "shopping_mall",
    "beach",
    "car",
    "construction_site",
    "rural",
    "nighttime_nature",
    "airport",
    "train_station",
    "office",
)


@dataclass(frozen=True)
class SoundKind:
    """One kind of sound.

    Attributes:
        name: the generator's name, unique in the catalogue.
        title: what a person calls it.
        event_id: ``namespace/name``; an ambience has ``location/ambience``.
        kind: ``take`` (an isolated event), ``ambience`` (the bed of a location), ``vocal`` (human, wordless).
    """

    name: str
    title: str
    event_id: str
    kind: Kind

    @property
    def namespace(self) -> str:
        """The part of the event id before the slash."""
        return self.event_id.partition("/")[0]


def _take(event_id: str, title: str) -> SoundKind:
    return SoundKind(event_id.partition("/")[2], title, event_id, "take")


def _vocal(tag: str, title: str) -> SoundKind:
    return SoundKind(f"vocal_{tag}", title, f"vocal/{tag}", "vocal")


def _ambience(location: str, title: str) -> SoundKind:
    return SoundKind(f"{location}_ambience", title, f"{location}/ambience", "ambience")


TAKES: tuple[SoundKind, ...] = (
    _take("home_indoor/doorbell", "Doorbell"),
    _take("home_indoor/door_knock", "Knocks on a door"),
    _take("home_indoor/alarm_clock", "Alarm clock"),
    _take("home_indoor/microwave_beep", "Microwave oven beeps"),
    _take("home_indoor/kettle_whistle", "Kettle whistling"),
    _take("home_indoor/dish_clatter", "Dishes clattering"),
    _take("home_indoor/faucet", "Water running from a tap"),
    _take("home_indoor/vacuum", "Vacuum cleaner"),
    _take("cafe_restaurant/glass_clink", "Glasses clinking"),
    _take("cafe_restaurant/cup_set_down", "Cup set down on a saucer"),
    _take("cafe_restaurant/espresso_steam", "Steam of an espresso machine"),
    _take("cafe_restaurant/service_bell", "Service bell on a counter"),
    _take("street_traffic/siren_pass", "Siren passing by"),
    _take("street_traffic/bicycle_bell", "Bicycle bell"),
    _take("street_traffic/motorcycle_pass", "Motorcycle passing by"),
    _take("street_traffic/bus_air_brake", "Air brake of a bus"),
    _take("public_park/bird_chirp", "Bird chirping"),
    _take("public_park/duck_quack", "Duck quacking"),
    _take("public_park/ball_bounce", "Ball bouncing"),
    _take("public_park/swing_squeak", "Swing squeaking"),
    _take("shopping_mall/checkout_beep", "Checkout scanner beeps"),
    _take("shopping_mall/store_chime", "Chime of a shop announcement"),
    _take("shopping_mall/cash_drawer", "Cash drawer opening"),
    _take("shopping_mall/balloon_pop", "Balloon popping"),
    _take("beach/wave_crash", "Wave crashing"),
    _take("beach/gull_cry", "Gull crying"),
    _take("beach/boat_horn", "Boat horn"),
    _take("beach/wind_gust", "Gust of wind"),
    _take("car/turn_signal", "Turn signal ticking"),
    _take("car/seatbelt_chime", "Seat belt chime"),
    _take("car/windscreen_wiper", "Windscreen wipers"),
    _take("car/rain_burst", "Burst of rain on the roof"),
    _take("construction_site/drill", "Power drill"),
    _take("construction_site/hammer_blows", "Hammer blows"),
    _take("construction_site/saw", "Hand saw"),
    _take("construction_site/reversing_beep", "Reversing alarm of a truck"),
    _take("rural/rooster_crow", "Rooster crowing"),
    _take("rural/cow_moo", "Cow mooing"),
    _take("rural/sheep_bleat", "Sheep bleating"),
    _take("rural/horse_neigh", "Horse neighing"),
    _take("rural/pig_grunt", "Pig grunting"),
    _take("rural/church_bell", "Church bell"),
    _take("nighttime_nature/cricket", "Cricket chirping"),
    _take("nighttime_nature/owl_hoot", "Owl hooting"),
    _take("nighttime_nature/frog_croak", "Frog croaking"),
    _take("nighttime_nature/twig_snap", "Twig snapping"),
    _take("airport/boarding_chime", "Boarding chime"),
    _take("airport/jet_pass", "Jet passing overhead"),
    _take("airport/scanner_beep", "Boarding pass scanner"),
    _take("train_station/train_announcement_chime", "Chime before a station announcement"),
    _take("train_station/train_horn", "Train horn"),
    _take("train_station/door_closing_beep", "Train doors closing signal"),
    _take("office/keyboard_typing", "Typing on a keyboard"),
    _take("office/elevator_ding", "Elevator ding"),
    _take("office/printer", "Printer at work"),
    _take("office/stapler", "Stapler"),
    _take("office/fan", "Desk fan"),
    _take("shared/dog_bark", "Dog barking"),
    _take("shared/car_horn", "Car horn"),
    _take("shared/luggage_wheels", "Wheeled luggage rolling"),
    _take("general/phone_ring", "Phone ringing"),
    _take("general/phone_vibration", "Phone vibrating"),
    _take("general/keys_jingle", "Keys jingling"),
    _take("general/coin_drop", "Coin dropping"),
    _take("general/paper_rustle", "Paper rustling"),
    _take("general/zip", "Zip fastener"),
    _take("general/camera_shutter", "Camera shutter"),
    _take("general/footsteps", "Footsteps"),
    _take("general/whistle", "Someone whistling"),
    _take("general/applause", "Applause"),
    _take("general/water_drip", "Water dripping"),
    _take("general/cat_meow", "Cat meowing"),
    _take("rare_events/thunder", "Thunder"),
    _take("rare_events/glass_break", "Glass breaking"),
    _take("rare_events/fire_alarm", "Fire alarm"),
    _take("rare_events/firework", "Firework"),
)

AMBIENCES: tuple[SoundKind, ...] = (
    _ambience("home_indoor", "Quiet room at home"),
    _ambience("cafe_restaurant", "Busy café"),
    _ambience("street_traffic", "Street with traffic"),
    _ambience("public_park", "Park with birds"),
    _ambience("shopping_mall", "Shopping mall"),
    _ambience("beach", "Waves on a beach"),
    _ambience("car", "Inside a moving car"),
    _ambience("construction_site", "Construction site"),
    _ambience("rural", "Countryside by day"),
    _ambience("nighttime_nature", "Countryside by night"),
    _ambience("airport", "Airport hall"),
    _ambience("train_station", "Train station hall"),
    _ambience("office", "Open-plan office"),
)

VOCALS: tuple[SoundKind, ...] = (
    _vocal("breathing", "Breathing"),
    _vocal("inhale", "Breathing in"),
    _vocal("exhale", "Breathing out"),
    _vocal("panting", "Panting"),
    _vocal("sigh", "Sigh"),
    _vocal("cough", "Cough"),
    _vocal("clear_throat", "Clearing the throat"),
    _vocal("laughs", "Laugh"),
    _vocal("chuckle", "Chuckle"),
    _vocal("giggle", "Giggle"),
    _vocal("cry", "Crying"),
    _vocal("sobbing", "Sobbing"),
    _vocal("scream", "Scream"),
)

CATALOG: tuple[SoundKind, ...] = TAKES + AMBIENCES + VOCALS
